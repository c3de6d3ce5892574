import type { SigningCertificate, SigningStatus, SigningTrial } from "#contract/operator/signing.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { ReceiptKeys } from "@/components/operator/receipt-keys";
import { Facts } from "@/components/ui/facts";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { inWords } from "@/components/words/coded";
import { inEnglish } from "@/components/words/in-english";
import { listText } from "@/lib/words/list-text";

const head = headOf({ title: "signing", parts: ["operatorPages"], description: "aboutSigning" });

export const generateMetadata = titleOf(head);

const trials = {
  library_missing: "libraryMissing",
  expired: "certificateExpired",
  failed: "libraryDoesNotSign",
  timeout: "tookTooLong",
  busy: "tooManyWaiting",
} as const satisfies Record<Exclude<SigningTrial, "signed">, string>;

/** Whether outputs are signed, with which certificate, and who will trust the signatures. */
export default page(head, async ({ requestRoute }) => {
  const [signing, receiptKeys] = await Promise.all([
    requestRoute("GET /operator/signing"),
    requestRoute("GET /operator/receipt_keys"),
  ]);
  return (
    <>
      {signing.ok ? <Signing signing={signing.data} /> : <LoadFailure error={signing.error} />}
      {receiptKeys.ok ? (
        <ReceiptKeys initial={receiptKeys.data} />
      ) : (
        <LoadFailure error={receiptKeys.error} />
      )}
      <Worth />
    </>
  );
});

function Signing({ signing }: { signing: SigningStatus }) {
  const t = useWords("operatorPages");
  const { certificate, problem, trial, trial_error: error } = signing;
  if (!certificate)
    return (
      <EmptyState
        drawing="gate"
        title={t("outputsAreNotSigned")}
        body={t("setC2paCertificateFileAnd")}
        className="mb-8"
      />
    );
  return (
    <>
      {problem && (
        <Alert>
          {t.rich("theFilesWereChangedAnd", { problem }, inWords(problem, signing.problem_codes))}
        </Alert>
      )}
      {trial !== null && trial !== "signed" && (
        <Alert>
          {t.rich("outputsAreStoredUnsignedNow", { trial: t(trials[trial]), error: error ?? "" }, inEnglish)}
        </Alert>
      )}
      {expiresSoon(certificate) && (
        <Alert>
          {t.rich(
            "expiresOn",
            {},
            { time: () => <Time key="time" value={certificate.expires_at} mode="absolute" /> },
          )}
        </Alert>
      )}
      <Section title={t("certificate")}>
        <Facts
          facts={[
            [t("testSignature"), trial === "signed" ? t("madeAndVerified") : t("failed")],
            [t("signsAs"), certificate.subject],
            [t("issuedBy"), certificate.issuer],
            [t("validFrom"), <Time key="from" value={certificate.valid_from} mode="absolute" />],
            [t("expires"), <Time key="until" value={certificate.expires_at} mode="absolute" />],
            [t("algorithm"), <code key="algorithm">{certificate.algorithm}</code>],
            [t("signed"), listText(t.language, signing.content_types, "plain")],
          ]}
        />
      </Section>
    </>
  );
}

/** The same lead time as that of the notice to operators. */
const soonMs = 30 * 86_400_000;

function expiresSoon({ expires_at }: SigningCertificate): boolean {
  return new Date(expires_at).getTime() - Date.now() < soonMs;
}

function Alert({ children }: { children: React.ReactNode }) {
  return (
    <p role="alert" className="mb-3 rounded-control bg-bad-soft p-3 wrap-anywhere text-ink">
      {children}
    </p>
  );
}

function Worth() {
  const t = useWords("operatorPages");
  return (
    <Section title={t("whatThisIsAndWhat")}>
      <ul className="max-w-[80ch] list-disc space-y-1 pl-5 text-table text-muted">
        <li>{t("theSignedNoteStatesThat")}</li>
        <li>{t("aFileThatIsAlready")}</li>
        <li>{t("metadataCanBeLostSaving")}</li>
        <li>{t("eachViewerAppDecidesWhich")}</li>
        <li>{t("theNotesHaveNoTime")}</li>
        <li>{t("youMustJudgeWhetherThis")}</li>
      </ul>
    </Section>
  );
}
