/** As an application that wants its settings the moment it is imported. */
function required(name: string): never {
  throw new Error(`The variable ${name} is not set.`);
}

export const url = required('SHOP_DATABASE_URL');
