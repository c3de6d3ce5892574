import { Fragment } from "react";

/** A long name that can break before its parts: `/v1/` `images/` … */
export function WithBreaks({ text, before }: { text: string; before: string }) {
  const [first, ...rest] = text.split(before);
  return (
    <>
      {first}
      {rest.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name have an order and nothing else.
        <Fragment key={index}>
          <wbr />
          {before + part}
        </Fragment>
      ))}
    </>
  );
}
