"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shareLimits } from "#contract/share-constants.ts";
import type { Share } from "#contract/shares.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { answerOf } from "@/lib/browser/action-answer";
import { failureBehind, fetchRoute, GatewayCallError } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import { localFailure } from "@/lib/gateway/result";
import { makeShareLink } from "@/lib/gateway/secret-actions";
import { lifetimeChoices, runOfFile } from "@/lib/shares";
import type { Words } from "@/messages/words";

interface ShareDialogProps {
  urls: readonly string[];
  onClose: () => void;
}

/** Outputs that can be shared together, and the limits of a link. */
interface Shareable {
  ids: string[];
  maxSeconds: number;
  /** Outputs that will be removed unless somebody keeps them in the library. */
  keepable: string[];
  /** When the last of the files is removed. Null if one of them is kept without an end. */
  filesEndAt: string | null;
  hasPrompt: boolean;
  gated: boolean;
}

/** Asks for the lifetime and whether to show the prompt; then shows the link to copy. */
export function ShareDialog({ urls, onClose }: ShareDialogProps) {
  const t = useWords("shares");
  const { data, error, refetch } = useQuery({
    queryKey: ["shares", "of", ...urls],
    queryFn: ({ signal }) => readShareable(urls, signal, t),
    retry: false,
    staleTime: 0,
  });
  const failure = failureBehind(error);
  if (data)
    return <ShareForm shareable={data} onKept={async () => void (await refetch())} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title={t("share")} size="sm">
      {failure ? (
        <ErrorPanel error={failure} onRetry={() => void refetch()} />
      ) : (
        <Progress value={null} label={t("loadingTheOutput")} />
      )}
    </Dialog>
  );
}

/** The outputs behind these signed URLs that can be shared. Throws `GatewayCallError`. */
async function readShareable(
  urls: readonly string[],
  signal: AbortSignal,
  t: Words<"shares">,
): Promise<Shareable> {
  const files = urls.flatMap((url) => runOfFile(url) ?? []).slice(0, shareLimits.outputs);
  const runs = [...new Set(files.map(({ run }) => run))];
  const lists = await Promise.all(
    runs.map((id) => fetchRoute("GET /outputs", { query: { prediction_id: id }, signal })),
  );
  const listed = lists.flatMap(({ data }) => data);
  const ids = files.flatMap(
    ({ run, position }) =>
      listed.find((output) => output.run_id === run && output.position === position)?.id ?? [],
  );
  if (ids.length === 0) throw new GatewayCallError(localFailure("payload_purged", t("theFileWasRemoved")));
  const terms = await Promise.all(
    ids.map((id) => fetchRoute("GET /outputs/{id}/shares", { params: { id }, query: { limit: 1 }, signal })),
  );
  const ends = terms.map(({ file_expires_at: at }) => at);
  return {
    ids,
    keepable: listed
      .filter(({ id, keepable, kept }) => ids.includes(id) && keepable && !kept)
      .map(({ id }) => id),
    maxSeconds: terms[0]?.max_expires_in ?? 0,
    filesEndAt: ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null),
    hasPrompt: terms.some(({ has_prompt }) => has_prompt),
    gated: terms.some(({ gated }) => gated),
  };
}

interface ShareFormProps {
  shareable: Shareable;
  /** Called when the files were kept in the library. */
  onKept: () => Promise<void>;
  onClose: () => void;
}

/** Default lifetime of a link. */
const defaultSeconds = 7 * 86_400;

function ShareForm({ shareable, onKept, onClose }: ShareFormProps) {
  const t = useWords("shares");
  const { ids, keepable, maxSeconds, filesEndAt, hasPrompt, gated } = shareable;
  const [openedAt] = useState(() => Date.now());
  const lifetimes = lifetimeChoices(
    maxSeconds,
    filesEndAt === null ? null : (Date.parse(filesEndAt) - openedAt) / 1000,
    t,
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const seconds =
    lifetimes.find((each) => each.seconds === chosen)?.seconds ??
    lifetimes.findLast((each) => each.seconds <= defaultSeconds)?.seconds ??
    lifetimes[0]?.seconds ??
    0;
  const [showsPrompt, setShowsPrompt] = useState(false);
  const [made, setMade] = useState<Share | null>(null);
  const { busy, failure, send } = useSend();
  const isOff = maxSeconds === 0;
  const [first = "", ...others] = ids;

  const make = async () => {
    const body = {
      expires_in: seconds,
      show_prompt: showsPrompt,
      ...(others.length > 0 && { with: others }),
    };
    const answer = await send(() => answerOf(makeShareLink(first, body)));
    if (answer.ok) setMade(answer.data);
  };
  const keep = async () => {
    for (const id of keepable) {
      const answer = await send(() => answerOf(act("POST /outputs/{id}/keep", { params: { id }, body: {} })));
      if (!answer.ok) return;
    }
    await onKept();
  };

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={ids.length > 1 ? t("shareOutputs", { count: ids.length }) : t("share")}
      description={gated ? t("onlySignedInPeopleWho") : t("anybodyWithTheLinkCan")}
      size="sm"
      footer={
        made || isOff ? (
          <Button onClick={onClose}>{t("done")}</Button>
        ) : (
          <>
            <Button onClick={onClose} disabled={busy}>
              {t("cancel")}
            </Button>
            <Button variant="primary" busy={busy} onClick={make}>
              {t("createLink")}
            </Button>
          </>
        )
      }
    >
      {isOff ? (
        <p>{t("theOperatorOfThisGateway")}</p>
      ) : made ? (
        <MadeLink share={made} />
      ) : (
        <div className="space-y-4">
          {failure && <ErrorPanel error={failure} />}
          <RadioGroup
            legend={t("theLinkWorksFor")}
            appearance="segments"
            value={String(seconds)}
            onChange={(value) => setChosen(Number(value))}
            options={lifetimes.map((each) => ({ value: String(each.seconds), label: each.label }))}
          />
          {hasPrompt && (
            <Checkbox
              label={t("showThePrompt")}
              checked={showsPrompt}
              onChange={(event) => setShowsPrompt(event.target.checked)}
            />
          )}
          {filesEndAt && (
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-table text-muted">
              <p className="min-w-0 flex-1 basis-52">
                {t.rich(
                  "theFilesAreRemoved",
                  { count: ids.length },
                  { time: () => <Time key="time" value={filesEndAt} /> },
                )}
              </p>
              {keepable.length > 0 && (
                <Permitted to="outputs:keep">
                  <Button size="sm" busy={busy} onClick={keep}>
                    {keepable.length > 1 ? t("keepTheFilesThenShare") : t("keepTheFileThenShare")}
                  </Button>
                </Permitted>
              )}
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** A link that was just created. */
function MadeLink({ share: { url, expires_at: end } }: { share: Share }) {
  const t = useWords("shares");
  return (
    <div className="space-y-3">
      <p role="status" className="sr-only">
        {t("linkCreated")}
      </p>
      {/* Not an InputField, because the button is beside its input. */}
      <Field label={t("link")}>
        {(aria) => (
          <span className="flex items-center gap-1">
            <Input
              {...aria}
              data-autofocus
              readOnly
              value={url}
              onFocus={(event) => event.target.select()}
              className="font-mono text-meta"
            />
            <CopyButton value={url} label={t("copyLink")} size="md" />
          </span>
        )}
      </Field>
      <p className="text-table text-muted">
        {t.rich(
          "theLinkExpires",
          {},
          {
            time: () => <Time key="time" value={end} />,
            link: (content) => (
              <Link key="link" href="/predictions/shared" className="text-accent underline">
                {content}
              </Link>
            ),
          },
        )}
      </p>
    </div>
  );
}
