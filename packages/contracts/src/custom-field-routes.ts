import { fieldDefinition, fieldDefinitionRoutes } from './custom-field.ts'
import { datatableRoutes } from './datatable.ts'
import { fieldPrivilegeRoutes } from './field-privilege.ts'
import { recordFieldRoutes } from './record-field.ts'

export const customFieldRoutes = {
  ...fieldDefinitionRoutes,
  ...fieldPrivilegeRoutes,
  ...recordFieldRoutes,
  datatable: datatableRoutes(
    'CustomFieldDefinitionDatatable',
    'custom_field_write',
    'Définitions de champs',
    fieldDefinition,
  ),
} as const
