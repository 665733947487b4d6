/** An entry and its import, written into a module as its author would. */
import { declare, specifier } from '../../src/schematics/declaration.js';

const SHOP = { property: 'imports', symbol: 'ShopGateModule', from: './shop/shop.gate' } as const;

describe('a declaration', () => {
  it('goes behind the last import, in its quotes and with its semicolon or without', () => {
    const module = `import { Module } from "@nestjs/common"
import {
  A,
} from "./a"
import "./side-effect"
import * as all from "./all"

@Module({ imports: [A] })
export class AppModule {}
`;
    expect(declare(module, SHOP)).toBe(
      module
        .replace('"./all"\n', '"./all"\nimport { ShopGateModule } from "./shop/shop.gate"\n')
        .replace('[A]', '[A, ShopGateModule]'),
    );
  });

  it('goes to the top of a file without imports', () => {
    expect(declare('@Module({})\nclass A {}\n', SHOP)).toMatch(
      /^import \{ ShopGateModule \} from '\.\/shop\/shop\.gate';\n@Module/,
    );
  });

  it('takes no text for an import that is none', () => {
    const module = `import { Module } from '@nestjs/common';\n\n@Module({ imports: [] })\nclass A {\n  text = "import it from 'there'";\n}\n`;
    expect(declare(module, SHOP)?.split('\n')[1]).toBe("import { ShopGateModule } from './shop/shop.gate';");
  });

  it('is written once, and an import that is there is not written again', () => {
    const once = declare("import { Module } from '@nestjs/common';\n@Module({ imports: [] })\nclass A {}\n", SHOP)!;
    expect(declare(once, SHOP)).toBe(once);
    const imported = once.replace('[ShopGateModule]', '[]');
    expect(declare(imported, SHOP)).toBe(once);
  });

  it.each([
    ['there is no @Module()', 'export class A {}\n'],
    ['its argument is no object', '@Module(options)\nclass A {}\n'],
    ['the property is no array', '@Module({ imports: IMPORTS })\nclass A {}\n'],
    [
      'there is another class of that name',
      "import { ShopGateModule } from './old/shop.gate';\n@Module({})\nclass A {}\n",
    ],
  ])('is not written when %s', (_, module) => expect(declare(module, SHOP)).toBeUndefined());

  it.each([
    ['/src/app.module.ts', '/src/shop/shop.gate.ts', false, './shop/shop.gate'],
    ['/src/app.module.ts', '/src/shop/shop.gate.ts', true, './shop/shop.gate.js'],
    ['/src/shop/shop.module.ts', '/src/shop/shop.gate.ts', false, './shop.gate'],
    ['/src/desk/desk.module.ts', '/src/shop/shop.gate.ts', true, '../shop/shop.gate.js'],
  ])('is imported into %s from %s (ES module: %s) as %s', (module, file, esm, expected) => {
    expect(specifier(module, file, esm)).toBe(expected);
  });
});
