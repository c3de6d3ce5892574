"use client";

import { useQueryClient } from "@tanstack/react-query";
import { EllipsisVertical, FlaskConical, Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Destination } from "#contract/copies.ts";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Button, IconButton } from "@/components/ui/button";
import { useSend } from "@/components/ui/form/use-send";
import { Menu } from "@/components/ui/menu";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { changeDestination, removeDestination, testDestination } from "../actions";

const DestinationDialog = dynamic(
  () => import("@/components/destinations/destination-dialog").then((module) => module.DestinationDialog),
  { ssr: false },
);
const ConfirmDialog = dynamic(() => import("@/components/ui/dialog").then((module) => module.ConfirmDialog), {
  ssr: false,
});

/** Everything that can be done to one destination. */
export function DestinationControls({ destination }: { destination: Destination }) {
  const { id, name, status } = destination;
  const router = usePageRouter();
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const { may } = useAccess();
  const { busy, failure, send } = useSend();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);

  const renew = () => {
    queryClient.invalidateQueries({ queryKey: queryKeys.destination(id) });
    queryClient.invalidateQueries({ queryKey: queryKeys.copies() });
    queryClient.invalidateQueries({ queryKey: queryKeys.destinations() });
  };
  const run = async <Data,>(call: ActionResult<Data>, done: (data: Data) => void) => {
    const answer = await send(() => answerOf(call));
    if (!answer.ok) return toast(await failureToast(answer.error));
    renew();
    done(answer.data);
  };
  const test = () =>
    run(testDestination(id), ({ error, warning }) =>
      toast(
        error
          ? { tone: "bad", title: "The test failed", description: error.message }
          : {
              title: "The test worked",
              description: warning ?? "A small object was written and removed again.",
            },
      ),
    );
  const set = (next: "active" | "paused") =>
    run(changeDestination(id, { status: next }), () =>
      toast(
        next === "paused"
          ? {
              title: "Paused: files wait",
              action: { label: "Resume", onClick: () => void set("active") },
            }
          : { title: "Resumed: waiting files are copied" },
      ),
    );
  const remove = async () => {
    const answer = await send(() => answerOf(removeDestination(id)), { leaves: true });
    if (!answer.ok) return;
    queryClient.invalidateQueries({ queryKey: queryKeys.destinations() });
    router.push("/destinations");
  };

  return (
    <>
      <Permitted to="copies:make">
        <Button icon={<FlaskConical size={16} aria-hidden />} busy={busy && open === null} onClick={test}>
          Test
        </Button>
      </Permitted>
      <Permitted to="destinations:manage">
        <Button icon={<Pencil size={16} aria-hidden />} onClick={() => setOpen("edit")}>
          Edit
        </Button>
      </Permitted>
      {status === "paused" && (
        <Permitted to="destinations:manage">
          <Button variant="primary" onClick={() => set("active")}>
            Resume
          </Button>
        </Permitted>
      )}
      {may("destinations:manage") && (
        <Menu
          label="More actions"
          trigger={<IconButton label="More actions" icon={<EllipsisVertical size={16} aria-hidden />} />}
          items={[
            ...(status === "active" ? [{ label: "Pause", onSelect: () => void set("paused") }] : []),
            { label: "Delete…", tone: "bad" as const, onSelect: () => setOpen("delete") },
          ]}
        />
      )}
      {open === "edit" && (
        <DestinationDialog
          destination={destination}
          change={changeDestination}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null);
            renew();
            toast({ title: "Destination updated" });
          }}
        />
      )}
      {open === "delete" && (
        <ConfirmDialog
          open
          onOpenChange={() => setOpen(null)}
          title="Delete this destination?"
          body={`Nothing more is copied to ${name}, and its log is deleted with it. What was copied stays in the bucket. This cannot be undone.`}
          confirmLabel="Delete destination"
          tone="bad"
          busy={busy}
          failure={failure}
          onConfirm={remove}
        />
      )}
    </>
  );
}
