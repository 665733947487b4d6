/** As an application with manners of its own. */
export const url = refuse({ reason: 'no settings' });

function refuse(what: object): never {
  throw what;
}
