import type { Migration } from '../dialect.ts'

/**
 * Managing a fleet: service hours, parents, monitoring models with their history, credentials, custom fields with their
 * privileges and history, saved views, remembered import mappings.
 */
export const managedObjects: Migration = {
  name: '0003-managed-objects',
  statements: t => {
    const stamps = `created_at ${t.int} not null, updated_at ${t.int} not null, updated_by text`
    const table = (name: string, columns: string) => `create table ${name} (${columns})${t.end}`
    const owned = (column: string, parent: string) =>
      `${column} ${t.int} not null references ${parent}(id) on delete cascade`
    return [
      "alter table site add column opening_hours text not null default '[]'",
      // Neither had an order of its own nor was unique.
      'create unique index host_model_name on host_model (name_folded, manufacturer)',
      table(
        'host_parent',
        `${owned('host_id', 'host')}, ${owned('parent_id', 'host')}, primary key (host_id, parent_id)`,
      ),
      'create index host_parent_parent on host_parent (parent_id)',
      'create index host_type_model on host (type_id, model_id)',

      table(
        'monitoring_model',
        `id ${t.id}, name text not null, name_folded text not null unique, description text not null, definition text not null, ${stamps}`,
      ),
      table(
        'monitoring_model_version',
        `id ${t.id}, ${owned('model_id', 'monitoring_model')}, name text not null, description text not null,
         definition text not null, at ${t.int} not null, changed_by text`,
      ),
      'create index monitoring_model_version_model on monitoring_model_version (model_id, id)',
      table(
        'host_monitoring_model',
        `${owned('host_id', 'host')}, ${owned('model_id', 'monitoring_model')}, position ${t.int} not null, primary key (host_id, model_id)`,
      ),
      'create index host_monitoring_model_model on host_monitoring_model (model_id)',
      // What a scanner takes from a model's, and which of its fields are its own; the same for metrics.
      `alter table scanner add column model_id ${t.int} references monitoring_model(id)`,
      'alter table scanner add column model_item text',
      "alter table scanner add column overrides text not null default '[]'",
      'create index scanner_model on scanner (model_id)',
      "alter table metric add column overrides text not null default '[]'",
      "alter table metric add column formulas text not null default '{}'",

      table(
        'credential',
        `id ${t.id}, owner_kind text not null, owner_id ${t.int} not null, kind text not null, settings text not null,
         secret text not null, ${stamps}, unique (owner_kind, owner_id, kind)`,
      ),

      table(
        'field_group',
        `id ${t.id}, name text not null, name_folded text not null unique, position ${t.int} not null, ${stamps}`,
      ),
      table(
        'field_definition',
        `id ${t.id}, key text not null unique, label text not null, label_folded text not null, help text not null, type text not null,
         unit text not null, default_value text not null, required ${t.int} not null, regex text not null, min_value ${t.real},
         max_value ${t.real}, choices text not null, group_id ${t.int} not null references field_group(id), position ${t.int} not null,
         scope text not null, types text not null, ${stamps}`,
      ),
      table(
        'field_privilege',
        `${owned('user_group_id', 'user_group')}, ${owned('field_group_id', 'field_group')}, level text not null,
         primary key (user_group_id, field_group_id)`,
      ),
      table(
        'field_privilege_override',
        `${owned('user_group_id', 'user_group')}, ${owned('definition_id', 'field_definition')}, level text not null,
         primary key (user_group_id, definition_id)`,
      ),
      // The owner is a site or a host, as the definition's scope says; both tables clear what they leave behind.
      table(
        'field_value',
        `${owned('definition_id', 'field_definition')}, owner_id ${t.int} not null, value text not null, value_folded text not null,
         value_number ${t.real}, updated_at ${t.int} not null, updated_by text, primary key (definition_id, owner_id)`,
      ),
      'create index field_value_text on field_value (definition_id, value_folded)',
      'create index field_value_number on field_value (definition_id, value_number)',
      table(
        'field_history',
        `id ${t.id}, ${owned('definition_id', 'field_definition')}, owner_id ${t.int} not null, before text, after text,
         at ${t.int} not null, changed_by text`,
      ),
      'create index field_history_owner on field_history (definition_id, owner_id, id)',

      table(
        'saved_view',
        `id ${t.id}, ${owned('account_id', 'account')}, list text not null, name text not null, query text not null,
         shared ${t.int} not null, ${stamps}`,
      ),
      'create index saved_view_list on saved_view (list, account_id)',
      table(
        'list_preference',
        `${owned('account_id', 'account')}, list text not null, columns text not null, primary key (account_id, list)`,
      ),
      table(
        'import_mapping',
        `${owned('account_id', 'account')}, entity text not null, header text not null, mapping text not null, used_at ${t.int} not null,
         primary key (account_id, entity, header)`,
      ),
      'create index audit_object on audit (object, id)',
    ]
  },
}
