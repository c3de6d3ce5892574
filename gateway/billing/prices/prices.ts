import { bookOf, type PriceBook } from "./book.ts";

/** The price book of this process; what follows the configuration gives it a new snapshot. */
export interface Prices {
  readonly book: PriceBook;
  use(book: PriceBook): void;
}

export function createPrices(currency: string): Prices {
  let book = bookOf(currency, [], []);
  return {
    get book() {
      return book;
    },
    use(next) {
      book = next;
    },
  };
}
