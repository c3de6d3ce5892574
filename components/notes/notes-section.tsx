"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageSquarePlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { pageLimit } from "#contract/list-constants.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { act } from "@/lib/gateway/act";
import { type NoteSubject, notePermission, notesRoute } from "@/lib/notes/subject";
import { queryKeys } from "@/lib/query-keys";

const NoteList = dynamic(() => import("./note-list.tsx").then((module) => module.NoteList), {
  loading: () => null,
});
const NoteForm = dynamic(() => import("./note-form.tsx").then((module) => module.NoteForm), { ssr: false });

interface NotesSectionProps {
  /** The subject of a new note. */
  subject: NoteSubject;
  /** Other subjects with notes to show: earlier deliveries of the same event. */
  others?: readonly NoteSubject[];
}

/** Colleagues' notes, and a form to add one. */
export function NotesSection({ subject, others = [] }: NotesSectionProps) {
  const t = useWords("notes");
  const client = useQueryClient();
  const [draft, setDraft] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { error } = useNotes(subject);
  const failure = failureBehind(error);
  // A gateway without extensions has no notes.
  if (failure?.code === "route_not_found") return null;
  const close = () => {
    setDraft(null);
    button.current?.focus();
  };
  return (
    <Section
      title={t("notes")}
      className="mt-6"
      actions={
        <Permitted to={notePermission(subject)}>
          <Button
            ref={button}
            size="sm"
            icon={<MessageSquarePlus size={14} aria-hidden />}
            aria-expanded={draft !== null}
            onClick={() => setDraft(draft === null ? newRunKey() : null)}
          >
            {t("leaveANote")}
          </Button>
        </Permitted>
      }
    >
      {failure && <ErrorPanel error={failure} />}
      {draft !== null && (
        <div className="mb-3">
          <NoteForm
            submitLabel={t("leaveNote")}
            save={(text) =>
              act(`POST ${notesRoute(subject)}`, {
                params: { id: subject.id },
                body: { text },
                idempotencyKey: draft,
              })
            }
            onSaved={() => {
              void client.invalidateQueries({ queryKey: queryKeys.notes(subject.id) });
              close();
            }}
            onCancel={close}
          />
        </div>
      )}
      {[subject, ...others].map((each) => (
        <NotesOn key={each.id} subject={each} />
      ))}
    </Section>
  );
}

function NotesOn({ subject }: { subject: NoteSubject }) {
  const { data } = useNotes(subject, askEveryMs);
  return data && data.data.length > 0 ? <NoteList subject={subject} notes={data.data} /> : null;
}

/** A colleague's note appears on open pages within three seconds. */
const askEveryMs = 2_000;

function useNotes({ kind, id }: NoteSubject, refetchInterval: number | false = false) {
  return useQuery({
    queryKey: queryKeys.notes(id),
    queryFn: ({ signal }) => {
      const call = { params: { id }, query: { limit: pageLimit.max }, signal };
      return kind === "prediction"
        ? fetchRoute("GET /predictions/{id}/notes", call)
        : fetchRoute("GET /webhooks/deliveries/{id}/notes", call);
    },
    refetchInterval,
  });
}
