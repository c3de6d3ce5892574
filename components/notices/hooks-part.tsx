"use client";

import { Pencil, Plus, Send, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Cause } from "#contract/notice-constants.ts";
import type { NoticeHook, NoticeHookCreate } from "#contract/notices.ts";
import { useFormats, useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { useAsked } from "@/components/ui/page/use-asked";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { causeLabel, templateLabel } from "@/lib/notices/cause-labels";

const HookDialog = dynamic(() => import("./hook-dialog.tsx").then((module) => module.HookDialog), {
  ssr: false,
});
const RemoveHookDialog = dynamic(
  () => import("./hook-dialog.tsx").then((module) => module.RemoveHookDialog),
  { ssr: false },
);

interface HooksPartProps {
  title: string;
  /** The text for an empty list. */
  invitation: string;
  /** The causes to choose from. */
  causes: readonly Cause[];
  hooks: readonly NoticeHook[];
  limit: number;
  path: "/notices/hooks" | "/operator/notice_hooks";
}

/** The chats and programs to which notices are posted, for an account or the operators. */
export function HooksPart(props: HooksPartProps) {
  const { title, invitation, causes, hooks, limit, path } = props;
  const t = useWords("noticePages");
  const { list } = useFormats();
  const router = usePageRouter();
  const { toast } = useToast();
  const [edited, setEdited] = useState<NoticeHook | "new" | null>(null);
  useAsked("add", hooks.length < limit && (() => setEdited("new")));
  const [removed, setRemoved] = useState<NoticeHook | null>(null);
  const [testing, setTesting] = useState<string | null>(null);

  const tryOut = async ({ id, name }: NoticeHook) => {
    setTesting(id);
    const answer = await answerOf(act(`POST ${path}/{id}/test`, { params: { id } }));
    setTesting(null);
    router.refresh();
    if (!answer.ok) return toast(await failureToast(answer.error));
    const { sent, error } = answer.data;
    if (sent) toast({ tone: "good", title: t("testSentTo", { name }) });
    else
      toast({
        tone: "bad",
        title: t("notAccepted", { name }),
        ...(error && { description: error }),
      });
  };

  const columns: readonly Column<NoticeHook>[] = [
    {
      head: t("name"),
      cellClass: "min-w-40 max-w-72 wrap-anywhere",
      cell: ({ name, template, url_hint }) => (
        <>
          <span className="font-medium">{name}</span>
          <span className="block text-meta text-muted">
            {templateLabel(t, template)}, <code>{url_hint}</code>
          </span>
        </>
      ),
    },
    {
      head: t("notifiedAbout"),
      from: "desktop",
      cellClass: "max-w-80 text-table",
      cell: (hook) => list(hook.causes.map((cause) => causeLabel(t, cause))),
    },
    {
      head: t("lastMessage"),
      from: "tablet",
      cellClass: "min-w-36 max-w-64 wrap-anywhere",
      cell: ({ last_sent_at, last_error, last_error_at }) =>
        last_error && last_error_at ? (
          <span className="text-bad">
            {t.rich("failedAt", { error: last_error }, { t: () => <Time key="at" value={last_error_at} /> })}
          </span>
        ) : last_sent_at ? (
          <Time value={last_sent_at} />
        ) : (
          <span className="text-muted">{t("noneYet")}</span>
        ),
    },
    {
      head: actionsHead,
      cell: (hook) => (
        <RowControls className="w-full justify-end">
          <IconButton
            size="sm"
            label={t("sendTestTo", { name: hook.name })}
            busy={testing === hook.id}
            icon={<Send size={14} aria-hidden />}
            onClick={() => void tryOut(hook)}
          />
          <IconButton
            size="sm"
            label={t("changeHook", { name: hook.name })}
            icon={<Pencil size={14} aria-hidden />}
            onClick={() => setEdited(hook)}
          />
          <IconButton
            size="sm"
            label={t("deleteHook", { name: hook.name })}
            icon={<Trash2 size={14} aria-hidden />}
            onClick={() => setRemoved(hook)}
          />
        </RowControls>
      ),
    },
  ];

  const button = (
    <Button icon={<Plus size={16} aria-hidden />} onClick={() => setEdited("new")}>
      {t("addHook")}
    </Button>
  );
  return (
    <Section
      title={title}
      description={t("hooksDescription")}
      actions={hooks.length > 0 && hooks.length < limit && button}
    >
      {hooks.length === 0 ? (
        <EmptyState title={t("noHooks")} body={invitation} action={button} />
      ) : (
        <RowsTable label={t("hooks")} rows={hooks} columns={columns} />
      )}
      {edited && (
        <HookDialog
          hook={edited === "new" ? null : edited}
          causes={causes}
          save={(values) =>
            edited === "new"
              ? act(`POST ${path}`, { body: values as NoticeHookCreate })
              : act(`PATCH ${path}/{id}`, { params: { id: edited.id }, body: values })
          }
          onSaved={() => {
            setEdited(null);
            router.refresh();
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {removed && (
        <RemoveHookDialog
          hook={removed}
          remove={() => act(`DELETE ${path}/{id}`, { params: { id: removed.id } })}
          onRemoved={() => {
            setRemoved(null);
            router.refresh();
          }}
          onClose={() => setRemoved(null)}
        />
      )}
    </Section>
  );
}
