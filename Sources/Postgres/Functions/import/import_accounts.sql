-- Creates the accounts of a batch with their audit rows, and advances the run, in one transaction. Returns the refused
-- lines: already_imported, email_in_use, identity_in_use. The caller ensures that no two lines of a batch share an id,
-- address or identity. The accounts belong to the app `p_client`; null: to none yet. Without a run nothing is recorded,
-- and the caller rolls back a dry run. The plans are cached while the tables grow from empty to large, so every look-up
-- must use an index. Look-ups end with `limit 1`, because PostgreSQL turns a plain `exists` into a hash of the whole
-- table.
-- Locks: import_runs, *lock_import_lines, accounts (new), *clear_unproved_claims, account_emails (new),
-- *forget_address_changes, *end_guest, account_phones (new), *put_in_password, identities (new), imported_accounts
-- (new), import_refusals (new).
-- Invariant: one identity has one account.
create or replace function import_accounts(
    p_run text, p_source text, p_after bigint, p_upto bigint, p_digest bytea, p_lines jsonb, p_unread jsonb, p_client text, p_request text)
returns table (line bigint, reason text)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    batch import_line[];
    left_out jsonb;
begin
    if p_run is not null then
        update import_runs set lines = p_upto, digest = p_digest, changed_at = now() where name = p_run and lines = p_after;
        if not found then
            raise exception 'the import has moved on';
        end if;
    end if;
    select coalesce(array_agg(l), '{}') into batch from jsonb_populate_recordset(null::import_line, p_lines) l;
    perform lock_import_lines(batch);

    select coalesce(jsonb_agg(jsonb_build_object('line', r.line, 'reason', r.reason)), '[]') into left_out
      from (select l.line,
                   case when (select true from imported_accounts i
                               where i.source = p_source and i.external_id = l.external_id limit 1) then 'already_imported'
                        when (select true from account_emails e
                               where e.address_key = l.address_key and e.proved_at is not null and not e.is_relay limit 1)
                             then 'email_in_use'
                        when (select true from account_phones p where p.phone_key = l.phone_key and p.proved_at is not null limit 1)
                             then 'phone_in_use'
                        when (select true from accounts a where a.user_name_key = l.user_name_key limit 1) then 'user_name_taken'
                        when (select true from jsonb_array_elements(l.identities) x
                               cross join lateral (select from identities i
                                                    where i.provider = x->>'provider' and i.realm = x->>'realm'
                                                      and i.subject = x->>'subject' limit 1) i limit 1)
                             then 'identity_in_use'
                   end as reason
              from unnest(batch) l) r
     where r.reason is not null;
    select coalesce(array_agg(l), '{}') into batch from unnest(batch) l
     where not exists (select from jsonb_array_elements(left_out) r where (r->>'line')::bigint = l.line);

    -- An account without password and proved identity sets a password at the first sign-in.
    insert into accounts (id, client_id, status, display_name, created_at, user_name, user_name_key, attributes, password_state)
    select l.account_id, p_client, case when l.is_disabled then 'disabled' else 'active' end, l.display_name,
           coalesce(to_timestamp(l.created_at / 1000.0), now()), l.user_name, l.user_name_key, l.attributes,
           case when l.password_hash is null and jsonb_array_length(l.identities) = 0 then 'reset_required' else 'usable' end
      from unnest(batch) l;
    perform clear_unproved_claims(l.address_key, l.account_id, null, p_request)
       from unnest(batch) l
      where l.is_proved and coalesce((select true from account_emails e where e.address_key = l.address_key limit 1),
                                     (select true from flows f where f.address_key = l.address_key limit 1));
    insert into account_emails (account_id, address_key, address, source, proved_at)
    select l.account_id, l.address_key, l.address, 'import', case when l.is_proved then now() end
      from unnest(batch) l where l.address_key is not null;
    insert into account_phones (account_id, phone_key, source, proved_at)
    select l.account_id, l.phone_key, 'import', case when l.is_phone_proved then now() end
      from unnest(batch) l where l.phone_key is not null;
    perform put_in_password(l.account_id, row(l.password_hash, null)::password_verifiers, 'import')
       from unnest(batch) l where l.password_hash is not null;
    insert into identities (id, account_id, provider, realm, subject, linked_by)
    select (x->>'id')::uuid, l.account_id, x->>'provider', x->>'realm', x->>'subject', 'import'
      from unnest(batch) l, jsonb_array_elements(l.identities) x;
    insert into imported_accounts (source, external_id, account_id)
    select p_source, l.external_id, l.account_id from unnest(batch) l;
    insert into audit_inbox (action, outcome, reason, account_id, request_id, detail)
    select 'account_created', 'done', 'import', l.account_id, p_request,
           jsonb_strip_nulls(jsonb_build_object('run', p_run, 'line', l.line, 'hash', l.hash_kind))
      from unnest(batch) l;
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, request_id)
    select 'identity_linked', 'done', 'import', l.account_id, (x->>'id')::uuid, x->>'provider', p_request
      from unnest(batch) l, jsonb_array_elements(l.identities) x;

    if p_run is not null then
        insert into import_refusals (run, line, reason)
        select p_run, (r->>'line')::bigint, r->>'reason' from jsonb_array_elements(p_unread || left_out) r;
        update import_runs
           set accounts = import_runs.accounts + cardinality(batch), refused = import_runs.refused + jsonb_array_length(p_unread || left_out)
         where name = p_run;
    end if;
    return query select (r->>'line')::bigint, r->>'reason' from jsonb_array_elements(left_out) r;
end $$;
