/** K: tickets that wait: few, short-lived, each good for one use, none of them kept. */
import { inspect } from 'node:util';
import { TicketBook } from '../../src/ticket-session/ticket-book.js';
import { HandClock } from '../support/hand-clock.js';

const issueAll = (book: TicketBook<string>, ...goods: string[]) => goods.map((good) => book.issue(good));

it('a ticket is 256 random bits, and no two are alike', () => {
  const book = new TicketBook<string>(new HandClock());
  const tickets = issueAll(book, 'a', 'b', 'c');
  expect(new Set(tickets).size).toBe(3);
  for (const ticket of tickets) expect(Buffer.from(ticket!, 'base64url')).toHaveLength(32);
});

it('is good for what it was issued for, once, in any order', () => {
  const book = new TicketBook<string>(new HandClock());
  const [first, second, third] = issueAll(book, 'a', 'b', 'c');
  expect(book.redeem(second!)).toBe('b');
  expect(book.redeem(second!)).toBeUndefined();
  expect(book.redeem(third!)).toBe('c');
  expect(book.redeem(first!)).toBe('a');
});

it('is good for ten seconds', () => {
  const clock = new HandClock();
  const book = new TicketBook<string>(clock);
  const [late, last] = issueAll(book, 'late', 'last');
  clock.turn(9_999);
  expect(book.redeem(last!)).toBe('last');
  clock.turn(1);
  expect(book.redeem(late!)).toBeUndefined();
});

it('eight wait at most: a ninth is not issued until one was used or has expired', () => {
  const clock = new HandClock();
  const book = new TicketBook<string>(clock);
  const eight = issueAll(book, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  expect(eight.every((ticket) => ticket !== undefined)).toBe(true);
  expect(book.issue('i')).toBeUndefined();
  book.redeem(eight[3]!);
  expect(book.issue('i')).toBeDefined();
  expect(book.issue('j')).toBeUndefined();
  clock.turn(10_000);
  expect(book.issue('j')).toBeDefined();
});

it('what is no ticket opens nothing, and uses up nothing', () => {
  const book = new TicketBook<string>(new HandClock());
  const ticket = book.issue('a')!;
  for (const guess of ['', 'x', ticket.slice(1), `${ticket}A`, ticket.toLowerCase(), '\u0000'.repeat(43)]) {
    expect(book.redeem(guess)).toBeUndefined();
  }
  expect(book.redeem(ticket)).toBe('a');
});

it('keeps a hash and never the ticket', () => {
  const book = new TicketBook<string>(new HandClock());
  const ticket = book.issue('a')!;
  expect(inspect(book, { depth: 10, showHidden: true })).not.toContain(ticket);
  const kept: Buffer[] = [];
  JSON.stringify(book, (_, value: unknown) => {
    if ((value as { type?: string } | null)?.type === 'Buffer')
      kept.push(Buffer.from((value as { data: number[] }).data));
    return value;
  });
  expect(kept).toHaveLength(1);
  for (const said of [Buffer.from(ticket), Buffer.from(ticket, 'base64url')])
    expect(kept[0]!.includes(said)).toBe(false);
});

it('two books know nothing of one another', () => {
  const clock = new HandClock();
  const [one, other] = [new TicketBook<string>(clock), new TicketBook<string>(clock)];
  const ticket = one.issue('a')!;
  expect(other.redeem(ticket)).toBeUndefined();
  expect(one.redeem(ticket)).toBe('a');
});
