import type { Migration } from '../dialect.ts'

/** The first schema: accounts, sessions, managed objects, probes, states, incidents and the outbox. */
export const initial: Migration = {
  name: '0001-initial',
  statements: t => {
    const stamps = `created_at ${t.int} not null, updated_at ${t.int} not null, updated_by text`
    const table = (name: string, columns: string) => `create table ${name} (${columns})${t.end}`
    return [
      table('setting', `key text primary key, value text not null, updated_at ${t.int} not null, updated_by text`),
      table(
        'account',
        `id ${t.id}, login text not null, login_folded text not null unique, first_name text not null, last_name text not null,
         name_folded text not null, email text not null, avatar text not null, password_hash text not null,
         first_connection ${t.int} not null, enabled ${t.int} not null, theme text not null, home_page text not null,
         last_login_at ${t.int}, password_changed_at ${t.int}, password_expires_at ${t.int}, notifications_through ${t.int} not null default 0, ${stamps}`,
      ),
      table(
        'account_claim',
        `account_id ${t.int} not null references account(id) on delete cascade, claim text not null, primary key (account_id, claim)`,
      ),
      table(
        'user_group',
        `id ${t.id}, name text not null, name_folded text not null unique, description text not null, ${stamps}`,
      ),
      table(
        'user_group_claim',
        `group_id ${t.int} not null references user_group(id) on delete cascade, claim text not null, primary key (group_id, claim)`,
      ),
      table(
        'user_group_member',
        `group_id ${t.int} not null references user_group(id) on delete cascade,
         account_id ${t.int} not null references account(id) on delete cascade, primary key (group_id, account_id)`,
      ),
      'create index user_group_member_account on user_group_member (account_id)',
      table(
        'session',
        `id ${t.id}, account_id ${t.int} not null references account(id) on delete cascade, uuid text not null, device text not null,
         address text not null, created_at ${t.int} not null, last_used_at ${t.int} not null, ended_at ${t.int}, end_reason text`,
      ),
      'create index session_account on session (account_id, ended_at)',
      table(
        'refresh_token',
        `hash text primary key, session_id ${t.int} not null references session(id) on delete cascade,
         created_at ${t.int} not null, used_at ${t.int}`,
      ),
      'create index refresh_token_session on refresh_token (session_id)',
      table(
        'api_token',
        `id ${t.id}, account_id ${t.int} not null references account(id) on delete cascade, name text not null,
         hash text not null unique, claims text not null, created_at ${t.int} not null, expires_at ${t.int} not null,
         last_used_at ${t.int}`,
      ),
      'create index api_token_account on api_token (account_id)',
      table(
        'audit',
        `id ${t.id}, at ${t.int} not null, actor text, address text not null, action text not null, object text not null,
         outcome text not null, detail text not null`,
      ),
      table(
        'login_failure',
        `key text primary key, failures ${t.int} not null, last_at ${t.int} not null, blocked_until ${t.int} not null`,
      ),
      table('site_type', `id ${t.id}, name text not null, name_folded text not null unique, icon text not null`),
      table('host_type', `id ${t.id}, name text not null, name_folded text not null unique, icon text not null`),
      table('host_model', `id ${t.id}, name text not null, name_folded text not null, manufacturer text not null`),
      table(
        'probe',
        `id ${t.id}, name text not null, name_folded text not null, site_id ${t.int}, approval text not null, local ${t.int} not null,
         public_key text not null unique, version text not null, address text not null, last_contact_at ${t.int}, boot_id text, ${stamps}`,
      ),
      table(
        'probe_code',
        `hash text primary key, created_at ${t.int} not null, expires_at ${t.int} not null, used_at ${t.int}, created_by text,
         approves ${t.int} not null`,
      ),
      table(
        'site',
        `id ${t.id}, name text not null, name_folded text not null, code text not null, code_folded text not null unique,
         type_id ${t.int} references site_type(id), parent_id ${t.int} references site(id), address text not null,
         postal_code text not null, city text not null, city_folded text not null, country text not null,
         latitude ${t.real}, longitude ${t.real}, time_zone text not null, contact_name text not null, contact_phone text not null,
         contact_email text not null, instruction text not null, probe_id ${t.int} references probe(id), ${stamps}`,
      ),
      'create index site_name on site (name_folded, id)',
      'create index site_parent on site (parent_id)',
      table(
        'host',
        `id ${t.id}, name text not null, name_folded text not null, address text not null, address_folded text not null,
         type_id ${t.int} references host_type(id), model_id ${t.int} references host_model(id),
         site_id ${t.int} not null references site(id), probe_id ${t.int} references probe(id), life_scanner_id ${t.int},
         tags text not null, tags_folded text not null, enabled ${t.int} not null, description text not null, instruction text not null,
         state text not null, severity_rank ${t.int} not null, state_since ${t.int} not null, ${stamps}`,
      ),
      'create index host_name on host (name_folded, id)',
      'create index host_site on host (site_id, name_folded)',
      'create index host_severity on host (severity_rank, name_folded)',
      table(
        'scanner',
        `id ${t.id}, name text not null, name_folded text not null, kind text not null,
         host_id ${t.int} not null references host(id) on delete cascade, probe_id ${t.int} references probe(id),
         interval_seconds ${t.int}, retry_interval_seconds ${t.int}, timeout_ms ${t.int}, attempts ${t.int},
         parameters text not null, enabled ${t.int} not null, ${stamps}`,
      ),
      'create index scanner_host on scanner (host_id)',
      'create index scanner_name on scanner (name_folded, id)',
      table(
        'metric',
        `id ${t.id}, host_id ${t.int} not null references host(id) on delete cascade,
         scanner_id ${t.int} not null references scanner(id) on delete cascade, key text not null, name text not null,
         name_folded text not null, unit text not null, type text not null, thresholds text not null, attempts ${t.int},
         no_data text not null, enabled ${t.int} not null, ${stamps}, unique (scanner_id, key)`,
      ),
      'create index metric_host on metric (host_id, name_folded)',
      'create index metric_name on metric (name_folded, id)',
      table(
        'metric_state',
        `metric_id ${t.int} primary key references metric(id) on delete cascade, severity_rank ${t.int} not null,
         hard_rank ${t.int} not null, kind text not null, attempt ${t.int} not null, cause text, hard_cause text,
         incident_rank ${t.int}, held ${t.int} not null, raised ${t.int} not null,
         since ${t.int} not null, hard_since ${t.int} not null, problem_since ${t.int},
         information text not null,
         incident_id ${t.int}, updated_at ${t.int} not null`,
      ),
      'create index metric_state_severity on metric_state (severity_rank, since)',
      table(
        'incident',
        `id ${t.id}, event_key text not null unique, metric_id ${t.int} not null references metric(id) on delete cascade,
         host_id ${t.int} not null, site_id ${t.int} not null, severity_rank ${t.int} not null, information text not null,
         opened_at ${t.int} not null, closed_at ${t.int}, acknowledged_by text, acknowledged_at ${t.int}, acknowledged_comment text`,
      ),
      'create index incident_open on incident (closed_at, opened_at)',
      'create index incident_host on incident (host_id, opened_at)',
      'create index incident_metric on incident (metric_id, opened_at)',
      table(
        'outbox',
        `id ${t.id}, event_key text not null unique, at ${t.int} not null, severity_rank ${t.int} not null, type text not null,
         title text not null, message text not null, link text not null, incident_id ${t.int},
         account_id ${t.int} references account(id) on delete cascade`,
      ),
      table('position', `name text primary key, position ${t.int} not null`),
    ]
  },
}
