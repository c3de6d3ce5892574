import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import { inAccount } from "@/lib/account-path";
import type { RouteProps } from "@/lib/page-props";
import { presetHref } from "@/lib/presets/address";
import { getPreset } from "@/lib/server/gateway/presets";
import { addressedAccount, requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Preset" };

/** The address with which a preset is shared: it opens in the playground of its operation. */
export default async function PresetPage({ params }: Pick<RouteProps<{ id: string }>, "params">) {
  await requireSession();
  const preset = await getPreset((await params).id);
  if (preset.ok) redirect(inAccount(await addressedAccount(), presetHref(preset.data)));
  if (preset.error.status === 404) notFound();
  return (
    <>
      <PageHeader title="Preset" />
      <LoadFailure error={preset.error} />
    </>
  );
}
