import { lastValueFrom, toArray } from 'rxjs';
import { newShopFile, openShop, type OpenShop } from './shop-on-file.js';

let place: ReturnType<typeof newShopFile>;
let shop: OpenShop;

beforeEach(async () => {
  place = newShopFile();
  shop = await openShop(place.file, 1);
});

afterEach(() => {
  shop.database.close();
  place.clear();
});

const tables = (): unknown =>
  shop.database
    .rows<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('product_text', 'product_text_next')")
    .map(({ name }) => name);
const claims = (): unknown => shop.database.rows('SELECT * FROM search_build');

/** Subscribes, and gives up once `batch` is through. */
function stopAfter(batch: number): Promise<void> {
  return new Promise((resolve) => {
    const subscription = shop.index.rebuild().subscribe((progress) => {
      if (progress.batch < batch) return;
      subscription.unsubscribe();
      resolve();
    });
  });
}

describe('Rebuilding the search index', () => {
  it('takes 25 batches and holds every product at the end', async () => {
    const batches = await lastValueFrom(shop.index.rebuild().pipe(toArray()));

    expect(batches.map(({ batch }) => batch)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
    expect(batches.at(-1)).toEqual({ batch: 25, total: 25, indexed: 60 });
    expect(shop.database.row('SELECT count(*) AS rows FROM product_text')).toEqual({ rows: 60 });
    expect(tables()).toEqual(['product_text']);
    expect(claims()).toEqual([]);
  });

  it('does nothing before somebody subscribes', () => {
    shop.index.rebuild();

    expect(claims()).toEqual([]);
  });

  it('shows the new content only once it is complete', async () => {
    await lastValueFrom(shop.index.rebuild());
    shop.database.run("UPDATE products SET name = 'Cleaver' WHERE sku = 'A-001'");

    const seen: number[] = [];
    await new Promise<void>((resolve, reject) =>
      shop.index.rebuild().subscribe({
        next: () => seen.push(shop.search.search({ text: 'cleaver' }).found),
        complete: resolve,
        error: reject,
      }),
    );

    expect(seen).toEqual(Array(25).fill(0));
    expect(shop.search.search({ text: 'cleaver' })).toMatchObject({ found: 1, indexed: true });
  });

  it('leaves the old index in place and the database free when it is stopped midway', async () => {
    await lastValueFrom(shop.index.rebuild());
    shop.database.run("UPDATE products SET name = 'Cleaver' WHERE sku = 'A-001'");

    await stopAfter(12);

    expect(tables()).toEqual(['product_text']);
    expect(claims()).toEqual([]);
    expect(shop.search.search({ text: 'chef' })).toMatchObject({ found: 1, indexed: true });
    const neighbour = await openShop(place.file);
    neighbour.database.run("UPDATE products SET stock = 1 WHERE sku = 'A-002'");
    await expect(lastValueFrom(neighbour.index.rebuild())).resolves.toMatchObject({ indexed: 60 });
    neighbour.database.close();
  });

  it('writes nothing more once it is stopped', async () => {
    await stopAfter(3);
    const before = shop.database.row('SELECT total_changes() AS changes');
    await new Promise((resolve) => setTimeout(resolve, 30));

    expect(shop.database.row('SELECT total_changes() AS changes')).toEqual(before);
  });

  it('refuses a second rebuild, in this process or another, while one runs', async () => {
    const neighbour = await openShop(place.file);
    const running = lastValueFrom(shop.index.rebuild());
    const refusal = 'The search index is being rebuilt already. Wait until that is done, then ask again.';

    await expect(lastValueFrom(shop.index.rebuild())).rejects.toThrow(refusal);
    await expect(lastValueFrom(neighbour.index.rebuild())).rejects.toThrow(refusal);
    await expect(running).resolves.toMatchObject({ batch: 25 });
    await expect(lastValueFrom(neighbour.index.rebuild())).resolves.toMatchObject({ batch: 25 });
    neighbour.database.close();
  });

  it('takes over from a process that died, and that process stops if it was only asleep', async () => {
    const asleep = shop.index.rebuild();
    const overtaken = new Promise((resolve) => asleep.subscribe({ error: resolve }));
    shop.database.run('UPDATE search_build SET expires_at = 0');
    const neighbour = await openShop(place.file);

    await expect(lastValueFrom(neighbour.index.rebuild())).resolves.toMatchObject({ indexed: 60 });

    expect(await overtaken).toMatchObject({ message: expect.stringContaining('took the rebuild') });
    expect(tables()).toEqual(['product_text']);
    neighbour.database.close();
  });

  it('ends quietly when the database is closed under it', async () => {
    const ended = new Promise((resolve) => shop.index.rebuild().subscribe({ error: resolve }));
    shop.database.close();

    expect(await ended).toMatchObject({ message: 'The database connection is not open' });
  });
});
