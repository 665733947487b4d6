/** An order as its readers see it. */
export interface OrderLine {
  readonly sku: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitCents: number;
}

export interface Order {
  readonly id: string;
  readonly customer: string;
  readonly placedAt: string;
  readonly lines: readonly OrderLine[];
  readonly totalCents: number;
}

export const CUSTOMER_PATTERN = /^C-\d{3}$/;
export const ORDER_PATTERN = /^O-\d{5,9}$/;

/** 7 is shown as `O-00007`. */
export const orderId = (number: number): string => `O-${String(number).padStart(5, '0')}`;

/** `O-00007` is number 7. */
export const orderNumber = (id: string): number => Number(id.slice(2));
