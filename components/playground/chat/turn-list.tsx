"use client";

import { memo, useMemo } from "react";
import { type Branches, forksOf, placesOf } from "@/lib/conversations/branches";
import { turnsOf } from "@/lib/conversations/thread";
import type { JsonObject } from "@/lib/schema-form/json";
import type { TurnActions } from "./turn";
import { TurnView } from "./turn-view";

interface TurnListProps {
  past: readonly JsonObject[];
  branches: Branches;
  /** Whose answers these are. */
  model: string;
  isAlone: boolean;
  busy: boolean;
  actions: TurnActions;
}

/** What was said so far. Typing and streaming draw none of it again. */
export const TurnList = memo(function TurnList(props: TurnListProps) {
  const { past, branches, model, isAlone, busy, actions } = props;
  const turns = useMemo(() => turnsOf(past), [past]);
  const places = useMemo(() => placesOf(branches, past), [branches, past]);
  if (turns.length === 0) return null;
  return (
    <ol aria-label="Conversation" className="flex min-w-0 flex-col gap-5">
      {turns.map(({ at, message, results }, index) => {
        // Beside another model's column its answers are not branches of this one.
        const { forks, chosen } = forksOf(
          branches,
          places,
          at,
          ({ facts }) => isAlone || !facts || facts.model === model,
        );
        const place = places[at] ?? null;
        return (
          <TurnView
            key={at}
            at={at}
            message={message}
            results={results}
            facts={(place !== null && branches[place]?.facts) || null}
            forks={forks}
            chosen={chosen}
            isLast={index === turns.length - 1}
            isAlone={isAlone}
            busy={busy}
            actions={actions}
          />
        );
      })}
    </ol>
  );
});
