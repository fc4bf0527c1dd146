/** The state of a repository whose version is about to get its tag. */
export interface ReleaseState {
  /** What `git status --porcelain` prints. */
  readonly changes: string;
  /** The version that each manifest states, by its file. */
  readonly versions: Readonly<Record<string, string>>;
  /** `CHANGELOG.md`. */
  readonly changelog: string;
  readonly tags: readonly string[];
}

/** What keeps a version from being released; none where it may be. */
export function releaseProblems({ changes, versions, changelog, tags }: ReleaseState): string[] {
  const [version = '', ...others] = new Set(Object.values(versions));
  const problems: string[] = [];
  if (changes !== '') problems.push('There are changes that are not committed');
  if (others.length > 0) problems.push(`Several versions are stated: ${JSON.stringify(versions)}`);
  if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`${version} is no version`);
  if (tags.includes(`v${version}`)) problems.push(`The tag v${version} is there already`);
  const entries = sectionOf(changelog, `[${version}] - `);
  if (entries === undefined) problems.push(`CHANGELOG.md has no section [${version}] with a day`);
  else if (!hasEntry(entries)) problems.push(`CHANGELOG.md has no entry for ${version}`);
  if (hasEntry(sectionOf(changelog, '[Unreleased]') ?? '')) {
    problems.push('CHANGELOG.md has entries of no version');
  }
  return problems;
}

const hasEntry = (section: string) => /^- \S/m.test(section);

/** The text of the section whose heading begins so, to the next one; undefined where there is none. */
function sectionOf(changelog: string, heading: string): string | undefined {
  const sections = changelog.split(/^## /m);
  return sections.find((section) => section.startsWith(heading));
}
