import { bookOf, type PriceBook } from "./book.ts";

/** The price book of this process, which is replaced by a new snapshot after configuration changes. */
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
