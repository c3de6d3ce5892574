"use client";

import { useState } from "react";
import type { SessionMethod, SessionRow } from "#contract/accounts/sessions.ts";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { ActionResult } from "@/lib/gateway/result";
import { deviceOf } from "@/lib/team/device";

const methods: Partial<Record<SessionMethod, string>> = {
  setup: "set-up",
  password: "password",
  passkey: "passkey",
  oidc: "single sign-on",
  invitation: "invitation",
  key: "key",
};

/** The person's own sessions; ending one takes effect within a second. */
export function SessionsPart({ sessions }: { sessions: SessionRow[] }) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [ending, setEnding] = useState<string | null>(null);
  const others = sessions.filter(({ current }) => !current).length;

  const run = async <Data,>(what: string, call: ActionResult<Data>, title: (data: Data) => string) => {
    setEnding(what);
    const answer = await answerOf(call);
    setEnding(null);
    if (answer.ok) toast({ title: title(answer.data) });
    else toast(await failureToast(answer.error, "Could not end the session"));
    router.refresh();
  };

  return (
    <div className="flex flex-col gap-3">
      <Table label="Your sessions">
        <thead>
          <tr>
            <Th>Device</Th>
            <Th>Address</Th>
            <Th>Signed in</Th>
            <Th>Last seen</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => {
            const device = deviceOf(session.user_agent);
            return (
              <Tr key={session.id}>
                <Td className="min-w-28" title={session.user_agent ?? undefined}>
                  <span className="font-medium">{device}</span> {session.current && <Badge>this one</Badge>}
                </Td>
                <Td className="font-mono text-meta" label="Address">
                  {session.ip ?? "–"}
                </Td>
                <Td label="Signed in">
                  <Time value={session.created_at} />
                  {session.method && methods[session.method] && (
                    <span className="text-muted"> by {methods[session.method]}</span>
                  )}
                </Td>
                <Td label="Last seen">
                  <Time value={session.last_seen_at ?? session.created_at} />
                </Td>
                <Td className="text-right">
                  {!session.current && (
                    <Button
                      size="sm"
                      aria-label={`End the session on ${device}`}
                      busy={ending === session.id}
                      onClick={() =>
                        run(
                          session.id,
                          act("DELETE /account/sessions/{id}", { params: { id: session.id } }),
                          () => "Session ended",
                        )
                      }
                    >
                      End
                    </Button>
                  )}
                </Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
      {others > 0 && (
        <Button
          className="self-start"
          busy={ending === "others"}
          onClick={() =>
            run(
              "others",
              act("DELETE /account/sessions"),
              ({ ended }) => `Ended ${formatCount(ended, "session")}`,
            )
          }
        >
          End all other sessions
        </Button>
      )}
    </div>
  );
}
