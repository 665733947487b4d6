/** N1, T2: names that can be tools' are shaped, the others refused before anything is written. */
import { namesOf } from '../../src/schematics/names.js';

describe('a name', () => {
  it.each([
    ['shop', { file: 'shop', class: 'Shop', tool: 'shop', variable: 'SHOP' }],
    ['orderDesk', { file: 'order-desk', class: 'OrderDesk', tool: 'order_desk', variable: 'ORDER_DESK' }],
    ['Order Desk', { file: 'order-desk', class: 'OrderDesk', tool: 'order_desk', variable: 'ORDER_DESK' }],
    ['order_desk', { file: 'order-desk', class: 'OrderDesk', tool: 'order_desk', variable: 'ORDER_DESK' }],
    ['order.desk', { file: 'order-desk', class: 'OrderDesk', tool: 'order_desk', variable: 'ORDER_DESK' }],
    ['order--desk', { file: 'order-desk', class: 'OrderDesk', tool: 'order_desk', variable: 'ORDER_DESK' }],
    ['v2-shop', { file: 'v2-shop', class: 'V2Shop', tool: 'v2_shop', variable: 'V2_SHOP' }],
    ['nestling', { file: 'nestling', class: 'Nestling', tool: 'nestling', variable: 'NESTLING' }],
  ])('such as %j is shaped for files, classes and tools', (given, names) => {
    expect(namesOf(given, (tool) => [tool])).toEqual(names);
  });

  it.each(['', '   ', 'größe', '3d', 'shop!', '-shop', 'shop-', '店', "shop'", '\\(group\\)', '${x}'])(
    '%j is refused, with the way out',
    (given) => {
      expect(() => namesOf(given, (tool) => [tool])).toThrow(/can not name tools and classes: take letters a to z/);
    },
  );

  it('is refused when a tool would take the prefix of this package', () => {
    expect(() => namesOf('nest-shop', (tool) => [tool])).toThrow(
      '"nest-shop" would name a tool "nest_shop": the prefix "nest_" is kept',
    );
    expect(() => namesOf('nest', (tool) => [`${tool}_find`])).toThrow('would name a tool "nest_find"');
    expect(namesOf('nest', (tool) => [tool]).tool).toBe('nest');
  });

  it('is refused when a tool would be longer than vendors take', () => {
    const longest = 'x'.repeat(64);
    expect(namesOf(longest, (tool) => [tool]).tool).toBe(longest);
    expect(() => namesOf(longest, (tool) => [tool, `${tool}_find`])).toThrow(/its name must be 1 to 64 letters/);
  });
});
