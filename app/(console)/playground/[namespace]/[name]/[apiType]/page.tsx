import { FormTab } from "@/components/playground/form-tab";
import { operationPage } from "../../../operation-page.tsx";

export { generateMetadata } from "../../../operation-page.tsx";

export default operationPage({ form: <FormTab /> });
