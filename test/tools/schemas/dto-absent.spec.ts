import { jest } from '@jest/globals';
import { loadDtoSupport } from '../../../src/tools/schemas/dto.js';

const notFound = (): never => {
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
};

beforeEach(() => {
  jest.resetModules();
});

describe('without the optional packages', () => {
  it.each(['class-validator', 'class-transformer'])(
    'there is no DTO support when %s is not installed',
    async (name) => {
      jest.unstable_mockModule(name, notFound);
      const fresh = await import('../../../src/tools/schemas/dto.js');
      expect(await fresh.loadDtoSupport()).toBeUndefined();
      jest.unstable_unmockModule(name);
    },
  );

  it('a broken package is not taken for an absent one', async () => {
    jest.unstable_mockModule('class-validator', () => {
      throw new Error('broken');
    });
    const fresh = await import('../../../src/tools/schemas/dto.js');
    await expect(fresh.loadDtoSupport()).rejects.toThrow('broken');
    jest.unstable_unmockModule('class-validator');
  });

  it('there is with them', async () => {
    expect(await loadDtoSupport()).toBeInstanceOf(Function);
  });
});
