import { createLoader, parseAsString } from "nuqs/server";
import { page } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page/page-header";
import { presetNote, serverApi } from "@/lib/operator/provider-presets";
import type { RouteProps } from "@/lib/page-props";
import { words } from "@/lib/server/words";
import { NewProvider, readNewProvider } from "./new-provider.tsx";

export async function generateMetadata({ searchParams }: RouteProps) {
  const t = await words("providers");
  const { preset } = await loadNewProviderSearch(searchParams);
  return { title: preset ? t("addPreset", { preset }) : t("addAProvider") };
}

export default page({ title: "addProvider", parts: ["providers"] }, async ({ t, search, need }) => {
  const { preset: wanted } = loadNewProviderSearch(search);
  const names = await words("providerPresets");
  const read = await need(readNewProvider());
  const preset = read.presets.find(({ id }) => id === wanted);
  const api = preset ? serverApi(names, preset) : null;
  return (
    <>
      {preset ? (
        <PageHeader
          title={api === null ? t("addName", { name: preset.name }) : t("addAnother", { api })}
          description={presetNote(names, preset) ?? t("theKeyIsTestedWhen")}
          actions={<LinkButton href="/operator/providers/new">{t("chooseAnother")}</LinkButton>}
        />
      ) : (
        <PageHeader title={t("addAProvider")} description={t("chooseAProviderOrConnect")} />
      )}
      <NewProvider preset={preset} read={read} />
    </>
  );
});

/** The preset of the form. Null: none is chosen yet. */
const loadNewProviderSearch = createLoader({ preset: parseAsString });
