import ObjectField from "@rjsf/core/lib/components/fields/ObjectField.js";
import SchemaField from "@rjsf/core/lib/components/fields/SchemaField.js";
import { englishStringTranslator } from "@rjsf/utils";

const Nothing = () => null;

/**
 * Stands in for rjsf's own registry (next.config.js): a planned form draws an object whose keys are all the console's
 * own fields, so none of rjsf's fields for other types, its widgets and its templates is ever shown. That saves 18 kB of
 * code in each playground.
 */
export default function getDefaultRegistry() {
  return {
    fields: { ObjectField, SchemaField },
    templates: {
      ButtonTemplates: { SubmitButton: Nothing },
      DescriptionFieldTemplate: Nothing,
      ErrorListTemplate: Nothing,
      FieldErrorTemplate: Nothing,
      FieldHelpTemplate: Nothing,
    },
    widgets: {},
    rootSchema: {},
    formContext: {},
    translateString: englishStringTranslator,
    globalFormOptions: { idPrefix: "root", idSeparator: "_", useFallbackUiForUnsupportedType: false },
  };
}
