"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type ViewList, viewFields } from "#contract/view-constants.ts";
import type { View } from "#contract/views.ts";
import { useWords } from "#words";
import { usePreferences } from "@/components/shell/preferences";
import { useAccess } from "@/components/team/access";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { wholePattern } from "@/components/ui/form/field";
import { InputField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Link, usePlace } from "@/components/ui/page/link";
import { Skeleton } from "@/components/ui/page/skeleton";
import { useUndoable } from "@/components/ui/page/use-undoable";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import { spans } from "@/lib/list-view";
import { queryKeys } from "@/lib/query-keys";
import { stretchLabel } from "@/lib/time-words/stretch-label";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

interface ViewsDialogProps {
  list: ViewList;
  /** The filters in the page's address; empty without filters. */
  search: string;
  onClose: () => void;
}

/** The saved views of a list: open one, delete one, or save the current filters. */
export function ViewsDialog({ list, search, onClose }: ViewsDialogProps) {
  const t = useWords("ui");
  const queries = useQueryClient();
  const { toast } = useToast();
  const { may } = useAccess();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.views(list),
    queryFn: ({ signal }) => fetchRoute("GET /views", { query: { list }, signal }),
  });
  const renew = () => void queries.invalidateQueries({ queryKey: queryKeys.views(list) });
  const { change } = useUndoable(renew);
  const failure = failureBehind(error);
  const remove = async (view: View) => {
    const { name, filters, shared } = view;
    const result = await change(
      act("DELETE /views/{id}", { params: { id: view.id } }),
      () => t("viewDeleted", { name }),
      () => () => act("POST /views", { body: { list, name, filters, shared } }),
    );
    // Behind the dialog, the toast with its undo could not be reached.
    onClose();
    if ("failure" in result) toast(await failureToast(result.failure));
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("savedViews")}
      description={t("viewsHint")}
    >
      <div className="space-y-4">
        {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
        {!data && !failure && <Skeleton className="h-16 w-full" />}
        {data?.data.length === 0 && <p className="text-muted">{t("noViewsYet")}</p>}
        {data && data.data.length > 0 && (
          <ul aria-label={t("savedViews")} className="divide-y rounded-panel border">
            {data.data.map((view) => (
              <ViewRow
                key={view.id}
                view={view}
                onOpen={onClose}
                onDelete={!view.shared || may("views:share") ? () => void remove(view) : null}
              />
            ))}
          </ul>
        )}
        {search === "" ? (
          <p className="text-table text-muted">{t("setFiltersFirst")}</p>
        ) : (
          <SaveForm list={list} filters={Object.fromEntries(new URLSearchParams(search))} onSaved={renew} />
        )}
      </div>
    </Dialog>
  );
}

interface ViewRowProps {
  view: View;
  onOpen: () => void;
  /** Null: the visitor may not delete it. */
  onDelete: (() => void) | null;
}

function ViewRow({ view: { name, filters, shared }, onOpen, onDelete }: ViewRowProps) {
  const t = useWords("ui");
  const { path } = usePlace();
  const { timeZone } = usePreferences();
  return (
    <li className="flex items-center gap-2 px-3 py-1.5">
      <Link
        href={`${path}?${new URLSearchParams(filters)}`}
        className="min-w-0 flex-1 hover:text-accent"
        onClick={onOpen}
      >
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-meta text-muted">{filtersText(t, filters, timeZone)}</span>
      </Link>
      <Badge>{shared ? t("account") : t("onlyYou")}</Badge>
      {onDelete && (
        <IconButton
          size="sm"
          label={t("deleteView", { name })}
          icon={<Trash2 size={14} aria-hidden />}
          onClick={onDelete}
        />
      )}
    </li>
  );
}

/** `status: failed, time: Last hour`. A view that a program made may have filters that no message names. */
function filtersText(t: Words<"ui">, filters: View["filters"], timeZone: string): string {
  const { since = "", created_after: after = "", created_before: before = "", ...others } = filters;
  const span = spans.get(since);
  const time = span ? t(span.label) : stretchLabel(t, after, before, timeZone);
  const parts = Object.entries(others).map(([filter, value]) => {
    const known = `filter.${filter}`;
    return t("filterIs", { name: t.has(known) ? t.text(known) : filter.replaceAll("_", " "), value });
  });
  return listText(t.language, [...parts, (since || after || before) && time], "parts");
}

interface SaveFormProps {
  list: ViewList;
  filters: Record<string, string>;
  onSaved: () => void;
}

function SaveForm({ list, filters, onSaved }: SaveFormProps) {
  const t = useWords("ui");
  const { may } = useAccess();
  const { busy, failure, send } = useSend();
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const body = { list, name: name.trim(), filters, shared };
    const answer = await send(() => answerOf(act("POST /views", { body })));
    if (!answer.ok) return;
    setName("");
    onSaved();
  };
  return (
    <form className="space-y-3 border-t pt-4" onSubmit={(event) => void save(event)}>
      <InputField
        label={t("saveFiltersAs")}
        rule={viewFields.name}
        pattern={wholePattern(viewFields.name)}
        autoComplete="off"
        value={name}
        onValue={setName}
        error={failure?.param === "name" ? failure.message : undefined}
      />
      {failure && failure.param !== "name" && <ErrorPanel error={failure} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        {may("views:share") ? (
          <Checkbox
            label={t("forEverybody")}
            checked={shared}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        ) : (
          <span />
        )}
        <Button type="submit" variant="primary" busy={busy}>
          {t("saveView")}
        </Button>
      </div>
    </form>
  );
}
