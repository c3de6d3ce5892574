"use client";

import { useState } from "react";
import { Link, type LinkProps } from "./link.tsx";

/**
 * A link of a long list: its page is fetched ahead once somebody points at it or focuses it. A list of fifty would
 * otherwise ask for fifty pages as soon as it is shown.
 */
export function LazyLink(props: LinkProps) {
  const [wanted, setWanted] = useState(false);
  const { onMouseEnter, onFocus } = props;
  return (
    <Link
      {...props}
      prefetch={wanted ? null : false}
      onMouseEnter={(event) => {
        setWanted(true);
        onMouseEnter?.(event);
      }}
      onFocus={(event) => {
        setWanted(true);
        onFocus?.(event);
      }}
    />
  );
}
