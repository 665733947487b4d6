export const port = 3000;

export async function bootstrap(): Promise<void> {}
