/** Name, bars and length side by side; on a phone the bars go below. */
export const rowGrid = {
  row: "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-3 tablet:grid-cols-[188px_minmax(0,1fr)_112px] wide:grid-cols-[248px_minmax(0,1fr)_128px]",
  name: "order-1 min-w-0",
  bars: "order-3 col-span-2 mx-1 min-w-0 tablet:order-2 tablet:col-span-1 tablet:col-start-2",
  measure: "order-2 truncate text-right tablet:order-3",
};
