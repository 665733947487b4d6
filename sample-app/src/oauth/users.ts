/**
 * Who can sign in at the demonstration's authorization server, and what each may allow an agent to do.
 */

/** The scopes of the shop's tools, in the words that a person consents to. */
export const SCOPES = {
  'shop:read': 'read sales reports',
  'shop:orders': 'see your orders',
  'shop:write': 'publish sales reports',
  'shop:billing': 'read invoices and refund orders',
} as const;

export type ShopScope = keyof typeof SCOPES;

/** A person. The id is that of a customer of the shop, and the subject of the person's tokens. */
export interface ShopUser {
  readonly id: string;
  readonly name: string;
  readonly part: string;
  readonly scopes: readonly ShopScope[];
}

export const USERS: readonly ShopUser[] = [
  {
    id: 'C-001',
    name: 'Ada Berg',
    part: 'a customer who also keeps the books',
    scopes: Object.keys(SCOPES) as ShopScope[],
  },
  { id: 'C-002', name: 'Bruno Costa', part: 'a customer', scopes: ['shop:read', 'shop:orders'] },
];

export function findUser(id: string | null | undefined): ShopUser | undefined {
  return USERS.find((user) => user.id === id);
}
