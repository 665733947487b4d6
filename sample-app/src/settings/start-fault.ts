/** Something that the person who starts the shop can mend: the message is all that they need to read. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}
