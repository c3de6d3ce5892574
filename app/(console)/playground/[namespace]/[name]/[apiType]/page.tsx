import { FormTab } from "@/components/playground/form-tab";
import { OperationPage, type PlaygroundRoute } from "../../../operation-page.tsx";

export { generateMetadata } from "../../../operation-page.tsx";

export default async function PlaygroundPage({ params, searchParams }: PlaygroundRoute) {
  const { namespace, name, apiType = "" } = await params;
  return (
    <OperationPage
      id={`${namespace}/${name}`}
      apiType={apiType}
      search={await searchParams}
      views={{ form: <FormTab /> }}
    />
  );
}
