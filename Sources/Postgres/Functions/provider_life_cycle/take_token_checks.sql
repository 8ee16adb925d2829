-- Takes due token checks for one server. The next check is scheduled before the provider is asked, so that no token is
-- checked twice within `p_pause_seconds` even after a crash. The next times are spread. A provider is asked only for
-- tokens of its configured realm, because tokens of a former team would look dead.
-- Locks: provider_tokens (for update skip locked).
create or replace function take_token_checks(p_providers text[], p_realms text[], p_limit integer, p_pause_seconds integer, p_spread_seconds integer)
returns table (identity_id uuid, provider text, client_id text, kind text, sealed bytea, stored_at timestamptz)
language sql as $$
    with due as (
        select t.identity_id, t.client_id, t.kind, i.provider, i.realm
          from provider_tokens t join identities i on i.id = t.identity_id
         where t.check_due_at <= now() and i.provider = any (p_providers)
         order by t.check_due_at limit p_limit for update of t skip locked
    ), taken as (
        update provider_tokens t set check_due_at = now() + make_interval(secs => p_pause_seconds + random() * p_spread_seconds)
          from due where t.identity_id = due.identity_id and t.client_id = due.client_id and t.kind = due.kind
        returning t.identity_id, due.provider, due.realm, t.client_id, t.kind, t.sealed, t.stored_at
    )
    select t.identity_id, t.provider, t.client_id, t.kind, t.sealed, t.stored_at
      from taken t join unnest(p_providers, p_realms) able (provider, realm) on able.provider = t.provider and able.realm = t.realm;
$$;
