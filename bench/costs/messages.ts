/** The first bytes of a connection have no type: they are its start, a cancellation or the question for encryption. */
const headOfStart = 4;
const headOfMessage = 5;
const encryptionCode = 80_877_103;

/**
 * Reads messages of the protocol of PostgreSQL from portions of bytes. `onMessage` gets the type of each and its body.
 * `isClient` is for what the client sends, which begins without a type.
 */
export function readMessages(
  isClient: boolean,
  onMessage: (type: string, body: Buffer) => void,
): (portion: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let hasStarted = !isClient;
  return (portion) => {
    rest = rest.length > 0 ? Buffer.concat([rest, portion]) : portion;
    for (;;) {
      const head = hasStarted ? headOfMessage : headOfStart;
      if (rest.length < head) return;
      const end = rest.readInt32BE(head - 4) + head - 4;
      if (rest.length < end) return;
      const body = rest.subarray(head, end);
      if (hasStarted) onMessage(String.fromCharCode(rest[0] as number), body);
      else hasStarted = body.readInt32BE(0) !== encryptionCode;
      rest = rest.subarray(end);
    }
  };
}
