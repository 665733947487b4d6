/** What a form may ask for, how it goes out, and how its answer is read (2026-07-28, elicitation). */
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Type } from 'class-transformer';
import { ElicitRequestSchema } from '@modelcontextprotocol/core';
import { z } from 'zod';
import { elicitForm, elicitUrl } from '../../src/inputs/elicit.js';
import type { McpFormSchema } from '../../src/inputs/form-schema.js';

const form = (schema: McpFormSchema) => elicitForm({ message: 'Please?', schema }).prepare();
const fields = (properties: object, more: object = {}) => form({ type: 'object', properties, ...more });

describe('a form', () => {
  const properties = {
    name: { type: 'string', title: 'Name', description: 'Yours', minLength: 2, maxLength: 9, default: 'John' },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
    score: { type: 'number', default: 95.5 },
    verified: { type: 'boolean', default: true },
    single: { type: 'string', enum: ['a', 'b'], default: 'a' },
    titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    legacy: { type: 'string', enum: ['a'], enumNames: ['A'] },
    several: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
    titledSeveral: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  };

  it('goes out as it is written, with everything that a client can show', async () => {
    const { method, params } = await fields(properties, { required: ['name'] });
    expect({ method, params }).toEqual({
      method: 'elicitation/create',
      params: { message: 'Please?', requestedSchema: { type: 'object', properties, required: ['name'] } },
    });
    expect(() => ElicitRequestSchema.parse({ method, params })).not.toThrow();
  });

  it('goes out without what a client does not know, and is still checked by it', async () => {
    const question = await fields({ code: { type: 'string', pattern: '^[A-Z]+$', format: 'uuid', examples: ['A'] } });
    expect(question.params?.['requestedSchema']).toEqual({ type: 'object', properties: { code: { type: 'string' } } });
    expect(await question.read({ action: 'accept', content: { code: 'a' } })).toBeUndefined();
  });

  it.each([
    ['an object', { type: 'object' }],
    ['a list of objects', { type: 'array', items: { type: 'object' } }],
    ['a list of any texts', { type: 'array', items: { type: 'string' } }],
    ['a choice of numbers', { type: 'number', enum: [1] }],
    ['a choice without titles', { oneOf: [{ const: 'a' }] }],
    ['several types', { type: ['string', 'null'] }],
    ['a union', { type: 'string', anyOf: [{ minLength: 1 }, { maxLength: 9 }] }],
    ['nothing', {}],
    ['true', true],
    ['null', { type: 'null' }],
  ])('cannot ask for %s, and says which field it is', async (_, schema) => {
    await expect(fields({ fine: { type: 'string' }, bad: schema })).rejects.toThrow(
      /^The field "bad" cannot be asked for in a form: it must be a text, a number/,
    );
  });

  it.each<[string, McpFormSchema, RegExp]>([
    ['no schema', 7 as never, /schema of a form cannot be used/],
    ['a list', { type: 'array' }, /schema of a form cannot be used/],
    ['a class without decorators', class Plain {}, /class Plain cannot be a form/],
    ['fields without names', z.record(z.string(), z.string()), /fields have no names cannot be shown: name each/],
    ['a library that cannot describe it', z.object({ at: z.date() }), /schema of a form cannot be read/],
  ])('is refused with %s', async (_, schema, message) => {
    await expect(form(schema)).rejects.toThrow(message);
  });

  it.each(['', '  ', 7, undefined])('needs a message, and not %j', async (message) => {
    const request = elicitForm({ message: message as string, schema: { type: 'object' } });
    await expect(async () => request.prepare()).rejects.toThrow('The message of elicitForm() must be a text');
    const page = elicitUrl({ message: message as string, url: 'https://a.example' });
    expect(() => page.prepare()).toThrow('The message of elicitUrl() must be a text');
  });

  class Visitor {
    @IsString()
    @Length(2, 9)
    name!: string;

    @IsEmail()
    @IsOptional()
    email?: string;

    @IsInt()
    @Min(1)
    @Max(9)
    size: number = 3;

    @IsBoolean()
    @IsOptional()
    loud?: boolean;

    @IsArray()
    @IsIn(['a', 'b'], { each: true })
    @IsOptional()
    letters?: string[];
  }

  it('may be a class: its answer is an instance, checked by its decorators', async () => {
    const question = await form(Visitor);
    expect(question.params?.['requestedSchema']).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2, maxLength: 9 },
        email: { type: 'string', format: 'email' },
        size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
        loud: { type: 'boolean' },
        letters: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['name'],
    });
    const read = await question.read({ action: 'accept', content: { name: 'Ada', unasked: 1 } });
    expect(read?.value).toEqual({ action: 'accept', content: expect.any(Visitor) });
    expect(read?.value).toMatchObject({ content: { name: 'Ada', size: 3 } });
    for (const content of [{}, { name: 'A' }, { name: 'Ada', email: 'no' }, { name: 'Ada', letters: ['c'] }]) {
      expect(await question.read({ action: 'accept', content })).toBeUndefined();
    }
  });

  it('reads a class once, with its checks, and not for each question', async () => {
    const [one, two] = [await form(Visitor), await form(Visitor)];
    expect(one.params?.['requestedSchema']).toBe(two.params?.['requestedSchema']);
  });

  it('may be a class only with fields that a form can show', async () => {
    class Nested {
      @ValidateNested()
      @Type(() => Visitor)
      who!: Visitor;
    }
    class Dated {
      @IsDate()
      at!: Date;
    }
    await expect(form(Nested)).rejects.toThrow('The field "who" cannot be asked for');
    expect((await form(Dated)).params?.['requestedSchema']).toMatchObject({ properties: { at: { type: 'string' } } });
  });

  it('may be a Standard Schema: its answer is what that parses to', async () => {
    const question = await form(z.object({ size: z.coerce.number<number>().min(2), on: z.iso.date().optional() }));
    expect(question.params?.['requestedSchema']).toEqual({
      type: 'object',
      properties: { size: { type: 'number', minimum: 2 }, on: { type: 'string', format: 'date' } },
      required: ['size'],
    });
    expect(await question.read({ action: 'accept', content: { size: 3 } })).toEqual({
      value: { action: 'accept', content: { size: 3 } },
    });
    expect(await question.read({ action: 'accept', content: { size: 1 } })).toBeUndefined();
  });

  it.each([undefined, null, 7, 'accept', [], {}, { action: 7 }, { action: 'ACCEPT' }])(
    'takes %j for no answer',
    async (answer) => {
      expect(await (await fields({})).read(answer)).toBeUndefined();
    },
  );
});

describe('a page', () => {
  it.each(['https://a.example/x?y=1', 'http://localhost:3000/x', 'http://127.0.0.1/', 'http://[::1]:8/'])(
    'may be at %s',
    async (url) => {
      const { params } = await elicitUrl({ message: 'There.', url }).prepare();
      expect(params).toEqual({ mode: 'url', message: 'There.', url });
    },
  );

  it.each([
    'http://a.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '/relative',
    '',
    7,
    'https://user:pw@a.example/',
    'http://localhost.evil.example/',
  ])('may not be at %j', (url) => {
    const page = elicitUrl({ message: 'There.', url: url as string });
    expect(() => page.prepare()).toThrow('The url of elicitUrl() must be an absolute https address without a password');
  });
});
