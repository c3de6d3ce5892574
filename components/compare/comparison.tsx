"use client";

import type { Batch } from "#contract/batches.ts";
import { BatchActions } from "@/components/batches/batch-actions";
import { BatchNotices } from "@/components/batches/batch-notices";
import { SideBySide } from "@/components/batches/side-by-side";
import { useBatch } from "@/components/batches/use-batch";
import { LinkButton } from "@/components/ui/button";
import { Section } from "@/components/ui/page/section";

/** A comparison that runs or has ended. */
export function Comparison({ initial, accountId }: { initial: Batch; accountId: string }) {
  const { data: batch } = useBatch(initial);
  return (
    <Section
      title="Results"
      actions={
        <>
          <BatchActions batch={batch} accountId={accountId} />
          <LinkButton href={`/batches/${batch.id}`}>Open as a batch</LinkButton>
        </>
      }
    >
      <BatchNotices batch={batch} />
      <SideBySide batch={batch} />
    </Section>
  );
}
