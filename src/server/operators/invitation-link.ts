/** The link of an invitation: a page of the dashboard, which asks for a password. */
export const invitationLink = (origin: string, text: string) => `${origin}/invitations/${text}`;
