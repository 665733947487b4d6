/**
 * The routes that Express and Fastify have, whoever gave them: code may ask the platform itself instead of Nest.
 */

/** A router of Express, as far as it is looked at. */
interface Router {
  readonly stack?: readonly {
    readonly route?: { readonly path: unknown; readonly methods: object };
    readonly handle?: Router;
  }[];
}

/** An application of Express. */
export interface Express {
  readonly router?: Router;
}

/** What Fastify says of a route before it has it. */
interface FastifyRoute {
  readonly method: string | readonly string[];
  readonly url: string;
}

/** An application of Fastify. */
export interface Fastify {
  readonly supportedMethods: readonly string[];
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): unknown;
}

/** Each once: `GET /raw`, and `GET …/board` below a router that is mounted, of which Express does not know where that is. */
export function routesOfExpress({ router }: Express): string[] {
  return [...new Set(routesIn(router))];
}

function routesIn(router: Router | undefined, mounted = ''): string[] {
  return (router?.stack ?? []).flatMap(({ route, handle }) => {
    if (route === undefined) return routesIn(handle, '…');
    const verbs = Object.keys(route.methods);
    const told = '_all' in route.methods || verbs.length > 20 ? ['ALL'] : verbs;
    return [route.path].flat().flatMap((path) => told.map((verb) => `${verb.toUpperCase()} ${mounted}${String(path)}`));
  });
}

/**
 * Hears of each route that Fastify is given from now on, with the prefix of its plugin. `HEAD` is left out where Fastify adds it
 * to a `GET`.
 */
export function listenToFastify(fastify: Fastify, hear: (route: string) => void): void {
  const gets = new Set<string>();
  fastify.addHook('onRoute', ({ method, url }) => {
    const verbs = [method].flat();
    const isAll = verbs.length === fastify.supportedMethods.length;
    for (const verb of isAll ? ['ALL'] : verbs) {
      if (verb === 'GET') gets.add(url);
      if (verb !== 'HEAD' || !gets.has(url)) hear(`${verb} ${url}`);
    }
  });
}
