"use client";

import { useSearchParams } from "next/navigation";

/**
 * One of several choices, or none, in the page's address. Changing it sends no request and adds no history
 * step.
 */
export function useAddressChoice<Choice extends string>(
  name: string,
  choices: readonly Choice[],
): [Choice | null, (choice: Choice | null) => void] {
  const search = useSearchParams();
  const chosen = choices.find((choice) => choice === search.get(name)) ?? null;
  const choose = (choice: Choice | null) => {
    const next = new URLSearchParams(search);
    if (choice === null) next.delete(name);
    else next.set(name, choice);
    const query = next.size > 0 ? `?${next}` : "";
    window.history.replaceState(null, "", window.location.pathname + query);
  };
  return [chosen, choose];
}
