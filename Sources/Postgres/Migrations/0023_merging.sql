-- Joining two accounts, dividing one, and moving what lets somebody in: by operators, and by a person who has proved
-- both. Everything of this kind leaves a row by which it can be undone for a while.

alter table accounts add column merged_into uuid references accounts on delete set null;

create table account_changes (
    id         uuid primary key,
    kind       text not null check (kind in ('merge', 'split', 'move', 'link', 'unlink')),
    account_id uuid not null references accounts on delete cascade,    -- the one that was kept, divided or changed
    other_id   uuid references accounts on delete cascade,             -- the one that was absorbed, made, or moved from
    actor_id   uuid,                                                   -- the operator; null: the person, or the command line
    made_at    timestamptz not null default now(),
    undo_until timestamptz not null default now() + interval '7 days',
    state      jsonb not null,                                         -- what moved, and what stood there before
    after      jsonb not null,                                         -- the outlines of both as the change left them
    undone_at  timestamptz
);
create index account_changes_account on account_changes (account_id, made_at);
create index account_changes_other on account_changes (other_id, made_at) where other_id is not null;

-- What lets somebody into an account and whom it belongs to, as far as later changes of it matter to an undo: ids and
-- digests, so that it can stand in the audit log.
create function account_outline(p_account uuid) returns jsonb language plpgsql stable as $$
declare
    outline jsonb;
begin
    select jsonb_build_object(
        'status', a.status, 'mfa', a.mfa, 'mfa_demanded', a.mfa_demanded, 'password_state', a.password_state,
        'user_name', left(encode(sha256(convert_to(a.user_name_key, 'UTF8')), 'hex'), 16),
        'password', (select extract(epoch from w.set_at) from passwords w where w.account_id = a.id),
        'role', (select o.role from operators o where o.account_id = a.id),
        'identities', (select coalesce(jsonb_agg(i.id order by i.id), '[]') from identities i where i.account_id = a.id),
        'passkeys', (select coalesce(jsonb_agg(k.id order by k.id), '[]') from passkeys k where k.account_id = a.id),
        'factors', (select coalesce(jsonb_agg(f.id order by f.id), '[]') from factors f where f.account_id = a.id),
        'emails', (select coalesce(jsonb_agg(left(encode(sha256(convert_to(e.address_key, 'UTF8')), 'hex'), 16)
                                             || case when e.proved_at is null then ' unproved' else '' end order by e.address_key), '[]')
                     from account_emails e where e.account_id = a.id),
        'phones', (select coalesce(jsonb_agg(left(encode(sha256(convert_to(p.phone_key, 'UTF8')), 'hex'), 16)
                                             || case when p.proved_at is null then ' unproved' else '' end order by p.phone_key), '[]')
                     from account_phones p where p.account_id = a.id))
      into outline from accounts a where a.id = p_account;
    return outline;
end $$;

-- Names the parts in which two outlines differ.
create function outline_differences(p_before jsonb, p_after jsonb) returns text[] language sql immutable as $$
    select coalesce(array_agg(key order by key), '{}')
      from jsonb_object_keys(coalesce(p_before, '{}') || coalesce(p_after, '{}')) key
     where p_before->key is distinct from p_after->key;
$$;

create function ids_of(p_items jsonb, p_name text) returns uuid[] language sql immutable as $$
    select coalesce(array_agg(id::uuid), '{}') from jsonb_array_elements_text(coalesce(p_items->p_name, '[]')) id;
$$;

create function keys_of(p_items jsonb, p_name text) returns text[] language sql immutable as $$
    select coalesce(array_agg(key), '{}') from jsonb_array_elements_text(coalesce(p_items->p_name, '[]')) key;
$$;

-- Which address, number and factor an account is known by and asked with.
create function account_mains(p_account uuid) returns jsonb language sql stable as $$
    select jsonb_build_object(
        'email', (select address_key from account_emails where account_id = p_account and is_main),
        'phone', (select phone_key from account_phones where account_id = p_account and is_main),
        'factor', (select id from factors where account_id = p_account and is_preferred),
        'passkey', (select id from passkeys where account_id = p_account and is_preferred));
$$;

-- Makes them so again, where what they name is still the account's; else the oldest proved one is the main one.
create function set_mains(p_account uuid, p_mains jsonb) returns void language plpgsql as $$
begin
    update account_emails set is_main = false where account_id = p_account and is_main and address_key is distinct from p_mains->>'email';
    update account_emails set is_main = true where account_id = p_account and not is_main and address_key = p_mains->>'email';
    if not exists (select from account_emails where account_id = p_account and is_main) then
        update account_emails set is_main = true
         where (account_id, address_key) = (select account_id, address_key from account_emails where account_id = p_account
                                             order by proved_at nulls last, added_at, address_key limit 1);
    end if;
    update account_phones set is_main = false where account_id = p_account and is_main and phone_key is distinct from p_mains->>'phone';
    update account_phones set is_main = true where account_id = p_account and not is_main and phone_key = p_mains->>'phone';
    if not exists (select from account_phones where account_id = p_account and is_main) then
        update account_phones set is_main = true
         where (account_id, phone_key) = (select account_id, phone_key from account_phones where account_id = p_account
                                           order by proved_at nulls last, added_at, phone_key limit 1);
    end if;
    if p_mains->>'factor' is not null then
        update factors set is_preferred = false where account_id = p_account and is_preferred and id <> (p_mains->>'factor')::uuid;
        update factors set is_preferred = true where account_id = p_account and id = (p_mains->>'factor')::uuid;
    end if;
    if p_mains->>'passkey' is not null then
        update passkeys set is_preferred = false where account_id = p_account and is_preferred and id <> (p_mains->>'passkey')::uuid;
        update passkeys set is_preferred = true where account_id = p_account and id = (p_mains->>'passkey')::uuid;
    end if;
end $$;

-- Moves what is listed from one account to another; nothing of it may be missing. Neither is a main one there.
create function move_items(p_from uuid, p_to uuid, p_items jsonb) returns void language plpgsql as $$
declare
    moved integer;
    total integer := 0;
begin
    update identities set account_id = p_to where account_id = p_from and id = any (ids_of(p_items, 'identities'));
    get diagnostics moved = row_count; total := total + moved;
    update account_emails set account_id = p_to, is_main = false where account_id = p_from and address_key = any (keys_of(p_items, 'emails'));
    get diagnostics moved = row_count; total := total + moved;
    update account_phones set account_id = p_to, is_main = false where account_id = p_from and phone_key = any (keys_of(p_items, 'phones'));
    get diagnostics moved = row_count; total := total + moved;
    update passkeys set account_id = p_to, is_preferred = false where account_id = p_from and id = any (ids_of(p_items, 'passkeys'));
    get diagnostics moved = row_count; total := total + moved;
    update factors set account_id = p_to, is_preferred = false where account_id = p_from and id = any (ids_of(p_items, 'factors'));
    get diagnostics moved = row_count; total := total + moved;
    if (p_items->>'password')::boolean then
        update passwords set account_id = p_to where account_id = p_from;
        get diagnostics moved = row_count;
        total := total + moved - 1;
        update accounts t set password_state = f.password_state from accounts f where t.id = p_to and f.id = p_from;
        update accounts set password_state = 'usable' where id = p_from;
    end if;
    if total <> jsonb_array_length(coalesce(p_items->'identities', '[]')) + jsonb_array_length(coalesce(p_items->'emails', '[]'))
              + jsonb_array_length(coalesce(p_items->'phones', '[]')) + jsonb_array_length(coalesce(p_items->'passkeys', '[]'))
              + jsonb_array_length(coalesce(p_items->'factors', '[]')) then
        raise exception 'accounts changed' using errcode = 'LG011';
    end if;
end $$;

-- What of an account can go to another that has no such thing.
create function movable_items(p_from uuid, p_to uuid) returns jsonb language sql stable as $$
    select jsonb_build_object(
        'identities', (select coalesce(jsonb_agg(id order by id), '[]') from identities where account_id = p_from),
        'emails', (select coalesce(jsonb_agg(address_key order by address_key), '[]') from account_emails e where account_id = p_from
                      and not exists (select from account_emails o where o.account_id = p_to and o.address_key = e.address_key)),
        'phones', (select coalesce(jsonb_agg(phone_key order by phone_key), '[]') from account_phones p where account_id = p_from
                      and not exists (select from account_phones o where o.account_id = p_to and o.phone_key = p.phone_key)),
        'passkeys', (select coalesce(jsonb_agg(id order by id), '[]') from passkeys where account_id = p_from),
        'factors', (select coalesce(jsonb_agg(id order by id), '[]') from factors f where account_id = p_from
                       and not exists (select from factors o where o.account_id = p_to and o.kind = f.kind and o.address_key = f.address_key)),
        'password', exists (select from passwords where account_id = p_from) and not exists (select from passwords where account_id = p_to));
$$;

-- The proofs of addresses that both have: whoever is kept has them all from now on. Answers what stood there before.
create function join_proofs(p_from uuid, p_to uuid) returns jsonb language plpgsql as $$
declare
    joined jsonb := '[]';
    pair record;
begin
    for pair in
        select f.address_key, f.proved_at, f.source, t.source as former from account_emails f
          join account_emails t on t.account_id = p_to and t.address_key = f.address_key
         where f.account_id = p_from and f.proved_at is not null and t.proved_at is null
    loop
        update account_emails set proved_at = null where account_id = p_from and address_key = pair.address_key;
        update account_emails set proved_at = pair.proved_at, source = pair.source where account_id = p_to and address_key = pair.address_key;
        joined := joined || jsonb_build_object('email', pair.address_key, 'proved_at', pair.proved_at, 'source', pair.former);
    end loop;
    for pair in
        select f.phone_key, f.proved_at, f.source, t.source as former from account_phones f
          join account_phones t on t.account_id = p_to and t.phone_key = f.phone_key
         where f.account_id = p_from and f.proved_at is not null and t.proved_at is null
    loop
        update account_phones set proved_at = null where account_id = p_from and phone_key = pair.phone_key;
        update account_phones set proved_at = pair.proved_at, source = pair.source where account_id = p_to and phone_key = pair.phone_key;
        joined := joined || jsonb_build_object('phone', pair.phone_key, 'proved_at', pair.proved_at, 'source', pair.former);
    end loop;
    return joined;
end $$;

create function part_proofs(p_from uuid, p_to uuid, p_joined jsonb) returns void language plpgsql as $$
declare
    pair record;
begin
    for pair in select * from jsonb_to_recordset(p_joined) as j (email text, phone text, proved_at timestamptz, source text) loop
        update account_emails set proved_at = null, source = pair.source where account_id = p_from and address_key = pair.email;
        update account_emails set proved_at = pair.proved_at where account_id = p_to and address_key = pair.email;
        update account_phones set proved_at = null, source = pair.source where account_id = p_from and phone_key = pair.phone;
        update account_phones set proved_at = pair.proved_at where account_id = p_to and phone_key = pair.phone;
    end loop;
end $$;

-- Both rows, locked in one order whoever comes first. Null, or why they can't be changed: both must be active.
create function lock_accounts(p_one uuid, p_other uuid) returns text language plpgsql as $$
declare
    found_ integer;
    active integer;
begin
    select count(*), count(*) filter (where status = 'active') into found_, active
      from (select status from accounts where id in (p_one, p_other) order by id for update) a;
    return case when found_ < 2 then 'not_found' when active < 2 then 'account_disabled' end;
end $$;

create function outlines_digest(p_one uuid, p_other uuid) returns text language sql stable as $$
    select encode(sha256(convert_to(jsonb_build_array(account_outline(p_one), account_outline(p_other))::text, 'UTF8')), 'hex');
$$;

-- Joins two accounts. With `p_dry` everything is done, looked at and taken back: a preview can't say anything else than
-- what would be. `p_expected` is the digest that the preview gave. Outcomes: merged, previewed, and refusals.
create function merge_accounts(
    p_change uuid, p_kept uuid, p_absorbed uuid, p_expected text, p_dry boolean, p_actor uuid, p_address text, p_request text,
    out outcome text, out digest text, out report jsonb)
language plpgsql as $$
declare
    kept accounts;
    absorbed accounts;
    before jsonb;
    state jsonb;
    ended integer;
begin
    if p_kept = p_absorbed then
        outcome := 'nothing_to_change';
        return;
    end if;
    outcome := lock_accounts(p_kept, p_absorbed);
    if outcome is not null then
        return;
    end if;
    -- A role would be lost, or won, without anybody having granted it.
    if exists (select from operators where account_id = p_absorbed) then
        outcome := 'operator_account';
        return;
    end if;
    digest := outlines_digest(p_kept, p_absorbed);
    if p_expected is distinct from digest and p_expected is not null then
        outcome := 'accounts_changed';
        return;
    end if;
    select * into kept from accounts where id = p_kept;
    select * into absorbed from accounts where id = p_absorbed;
    before := jsonb_build_object('kept', account_outline(p_kept), 'absorbed', account_outline(p_absorbed));
    state := jsonb_build_object(
        'items', movable_items(p_absorbed, p_kept), 'kept_mains', account_mains(p_kept), 'absorbed_mains', account_mains(p_absorbed),
        'kept', jsonb_build_object('display_name', kept.display_name, 'attributes', kept.attributes, 'mfa', kept.mfa,
                                   'mfa_demanded', kept.mfa_demanded, 'password_state', kept.password_state,
                                   'user_name', kept.user_name, 'user_name_key', kept.user_name_key),
        'absorbed', jsonb_build_object('password_state', absorbed.password_state, 'user_name', absorbed.user_name,
                                       'user_name_key', absorbed.user_name_key));
    begin
        state := state || jsonb_build_object('joined', join_proofs(p_absorbed, p_kept));
        perform move_items(p_absorbed, p_kept, state->'items');
        perform set_mains(p_kept, state->'kept_mains');
        if kept.user_name is null and absorbed.user_name is not null then
            update accounts set user_name = null, user_name_key = null where id = p_absorbed;
            update accounts set user_name = absorbed.user_name, user_name_key = absorbed.user_name_key where id = p_kept;
        end if;
        update accounts
           set display_name = coalesce(display_name, absorbed.display_name), attributes = absorbed.attributes || attributes,
               mfa = mfa or absorbed.mfa, mfa_demanded = mfa_demanded or absorbed.mfa_demanded, changed_at = now()
         where id = p_kept;
        update accounts set status = 'closed', merged_into = p_kept, changed_at = now() where id = p_absorbed;
        ended := end_account_sessions(p_absorbed, 'merged', null);
        delete from flows where account_id in (p_kept, p_absorbed);
        delete from remembered_devices where account_id = p_absorbed;
        report := jsonb_build_object(
            'moves', state->'items', 'joins_proofs', jsonb_array_length(state->'joined'), 'ends_sessions', ended,
            'stays_behind', account_outline(p_absorbed) - 'status', 'before', before,
            'after', jsonb_build_object('kept', account_outline(p_kept), 'absorbed', account_outline(p_absorbed)));
        if p_dry then
            raise exception 'only looking' using errcode = 'LG010';
        end if;
    exception when sqlstate 'LG010' then
        outcome := 'previewed';
        return;
    end;
    insert into account_changes (id, kind, account_id, other_id, actor_id, state, after)
    values (p_change, 'merge', p_kept, p_absorbed, p_actor, state, report->'after');
    insert into audit_events (action, outcome, account_id, address, request_id, detail)
    values ('accounts_merged', 'done', p_kept, p_address, p_request,
            jsonb_build_object('change', p_change, 'absorbed', p_absorbed, 'before', before, 'after', report->'after')),
           ('account_absorbed', 'done', p_absorbed, p_address, p_request, jsonb_build_object('change', p_change, 'kept', p_kept));
    perform notify_account(p_kept, 'accounts_merged', '{}');
    perform pg_notify('gateway_sessions', 'account:' || p_kept);
    outcome := 'merged';
end $$;

-- Divides an account: what is listed goes to a new one. Both must be left with a way in. Outcomes: split, previewed, refusals.
create function split_account(
    p_change uuid, p_account uuid, p_new uuid, p_items jsonb, p_providers text[], p_dry boolean, p_actor uuid, p_address text, p_request text,
    out outcome text, out report jsonb)
language plpgsql as $$
declare
    before jsonb;
    mains jsonb;
    ended integer;
begin
    perform from accounts where id = p_account and status = 'active' for update;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    before := account_outline(p_account);
    mains := account_mains(p_account);
    begin
        insert into accounts (id, display_name) select p_new, display_name from accounts where id = p_account;
        perform move_items(p_account, p_new, p_items);
        perform set_mains(p_account, mains);
        perform set_mains(p_new, mains);
        update accounts set mfa = exists (select from factors where account_id = p_new) where id = p_new;
        update accounts set mfa = mfa and (exists (select from factors where account_id = p_account) or exists (select from passkeys where account_id = p_account))
         where id = p_account;
        if not has_way_in(p_account, p_providers) or not has_way_in(p_new, p_providers) then
            raise exception 'last credential' using errcode = 'LG001';
        end if;
        ended := end_account_sessions(p_account, 'account_split', null);
        delete from flows where account_id = p_account;
        delete from remembered_devices where account_id = p_account;
        report := jsonb_build_object('moves', p_items, 'ends_sessions', ended, 'before', before,
                                     'after', jsonb_build_object('account', account_outline(p_account), 'new', account_outline(p_new)));
        if p_dry then
            raise exception 'only looking' using errcode = 'LG010';
        end if;
    exception
        when sqlstate 'LG010' then outcome := 'previewed'; return;
        when sqlstate 'LG011' then outcome := 'accounts_changed'; return;
        when sqlstate 'LG001' then outcome := 'last_credential'; return;
    end;
    insert into account_changes (id, kind, account_id, other_id, actor_id, state, after)
    values (p_change, 'split', p_account, p_new, p_actor,
            jsonb_build_object('items', p_items, 'mains', mains, 'mfa', (before->>'mfa')::boolean, 'password_state', before->>'password_state'),
            report->'after');
    insert into audit_events (action, outcome, account_id, address, request_id, detail)
    values ('account_split', 'done', p_account, p_address, p_request, jsonb_build_object('change', p_change, 'new', p_new, 'before', before, 'after', report->'after')),
           ('account_created', 'done', p_new, p_address, p_request, jsonb_build_object('change', p_change, 'split_from', p_account));
    perform notify_account(p_account, 'account_split', '{}');
    perform notify_account(p_new, 'account_split', '{}');
    outcome := 'split';
end $$;

-- Gives an identity to another account. The one that it leaves keeps a way in. Outcomes: moved, and refusals.
create function move_identity(
    p_change uuid, p_identity uuid, p_from uuid, p_to uuid, p_providers text[], p_actor uuid, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
    before jsonb;
    after jsonb;
begin
    if p_from = p_to then
        return 'nothing_to_change';
    end if;
    refused := lock_accounts(p_from, p_to);
    if refused is not null then
        return refused;
    end if;
    before := jsonb_build_object('from', account_outline(p_from), 'to', account_outline(p_to));
    perform move_items(p_from, p_to, jsonb_build_object('identities', jsonb_build_array(p_identity)));
    if not has_way_in(p_from, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    perform end_identity_sessions(p_from, p_identity, 'identity_moved');
    delete from flows where account_id in (p_from, p_to);
    after := jsonb_build_object('from', account_outline(p_from), 'to', account_outline(p_to));
    insert into account_changes (id, kind, account_id, other_id, actor_id, state, after)
    values (p_change, 'move', p_to, p_from, p_actor, jsonb_build_object('items', jsonb_build_object('identities', jsonb_build_array(p_identity))), after);
    insert into audit_events (action, outcome, account_id, identity_id, address, request_id, detail)
    values ('identity_moved', 'done', p_to, p_identity, p_address, p_request, jsonb_build_object('change', p_change, 'from', p_from, 'before', before, 'after', after)),
           ('identity_unlinked', 'done', p_from, p_identity, p_address, p_request, jsonb_build_object('change', p_change, 'moved_to', p_to));
    perform notify_account(p_from, 'identity_unlinked', jsonb_build_object('provider', (select provider from identities where id = p_identity)));
    perform notify_account(p_to, 'identity_linked', jsonb_build_object('provider', (select provider from identities where id = p_identity)));
    perform pg_notify('gateway_sessions', 'account:' || p_to);
    return 'moved';
exception
    when sqlstate 'LG001' then return 'last_credential';
    when sqlstate 'LG011' then return 'accounts_changed';
end $$;

-- Ends the sessions that began with an identity; every server hears of it.
create function end_identity_sessions(p_account uuid, p_identity uuid, p_reason text) returns integer language plpgsql as $$
declare
    ended integer;
begin
    update sessions set ended_at = now(), end_reason = p_reason
     where account_id = p_account and identity_id = p_identity and ended_at is null;
    get diagnostics ended = row_count;
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return ended;
end $$;

-- Links an identity by an operator's hand. Outcomes: linked, and refusals.
create function operator_link(
    p_change uuid, p_account uuid, p_identity uuid, p_provider text, p_realm text, p_subject text, p_actor uuid, p_address text, p_request text)
returns text language plpgsql as $$
declare
    before jsonb;
    facts identity_facts;
begin
    perform lock_identity(p_provider, p_realm, p_subject);
    perform from accounts where id = p_account and status = 'active' for update;
    if not found then
        return 'not_found';
    end if;
    before := account_outline(p_account);
    facts := row(p_provider, p_realm, p_subject, null, false, false, null);
    if add_identity(p_identity, p_account, facts, 'operator') is null then
        return 'identity_in_use';
    end if;
    insert into account_changes (id, kind, account_id, actor_id, state, after)
    values (p_change, 'link', p_account, p_actor, jsonb_build_object('identity', p_identity), jsonb_build_object('account', account_outline(p_account)));
    insert into audit_events (action, outcome, reason, account_id, identity_id, provider, address, request_id, detail)
    values ('identity_linked', 'done', 'operator', p_account, p_identity, p_provider, p_address, p_request,
            jsonb_build_object('change', p_change, 'before', before, 'after', account_outline(p_account)));
    perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', p_provider));
    return 'linked';
end $$;

-- Unlinks by an operator's hand; the account keeps a way in. Outcomes: unlinked, and refusals.
create function operator_unlink(p_change uuid, p_account uuid, p_identity uuid, p_providers text[], p_actor uuid, p_address text, p_request text)
returns text language plpgsql as $$
declare
    before jsonb;
    gone identities;
begin
    perform from accounts where id = p_account for update;
    select * into gone from identities where id = p_identity and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    before := account_outline(p_account);
    perform end_identity_sessions(p_account, p_identity, 'identity_unlinked');
    delete from identities where id = p_identity;
    if not has_way_in(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where account_id = p_account;
    insert into account_changes (id, kind, account_id, actor_id, state, after)
    values (p_change, 'unlink', p_account, p_actor, to_jsonb(gone), jsonb_build_object('account', account_outline(p_account)));
    insert into audit_events (action, outcome, reason, account_id, identity_id, provider, address, request_id, detail)
    values ('identity_unlinked', 'done', 'operator', p_account, p_identity, gone.provider, p_address, p_request,
            jsonb_build_object('change', p_change, 'before', before, 'after', account_outline(p_account)));
    perform notify_account(p_account, 'identity_unlinked', jsonb_build_object('provider', gone.provider));
    return 'unlinked';
exception when sqlstate 'LG001' then
    return 'last_credential';
end $$;

-- Takes a change back, as long as nothing that it touched has changed since. Outcomes: undone, undo_over, undo_blocked
-- (with the names of the parts that differ), and refusals.
create function undo_change(p_change uuid, p_providers text[], p_address text, p_request text, out outcome text, out parts text[])
language plpgsql as $$
declare
    change account_changes;
    before jsonb;
begin
    select * into change from account_changes where id = p_change for update;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if change.undone_at is not null or change.undo_until <= now() then
        outcome := 'undo_over';
        return;
    end if;
    perform from accounts where id in (change.account_id, change.other_id) order by id for update;
    before := jsonb_build_object('account', account_outline(change.account_id), 'other', account_outline(change.other_id));
    parts := outline_differences(coalesce(change.after->'kept', change.after->'account', change.after->'to'), before->'account');
    if change.other_id is not null then
        parts := parts || outline_differences(coalesce(change.after->'absorbed', change.after->'new', change.after->'from'), before->'other');
    end if;
    if parts <> '{}' then
        outcome := 'undo_blocked';
        return;
    end if;
    case change.kind
        when 'merge' then perform undo_merge(change);
        when 'split' then perform undo_split(change);
        when 'move' then perform undo_move(change, p_providers);
        when 'link' then perform undo_link(change, p_providers);
        when 'unlink' then perform undo_unlink(change);
    end case;
    delete from flows where account_id in (change.account_id, change.other_id);
    update account_changes set undone_at = now(), state = '{}' where id = p_change;
    insert into audit_events (action, outcome, reason, account_id, address, request_id, detail)
    select 'change_undone', 'done', change.kind, id, p_address, p_request,
           jsonb_build_object('change', p_change, 'before', before->part, 'after', account_outline(id))
      from (values (change.account_id, 'account'), (change.other_id, 'other')) as touched (id, part) where id is not null;
    outcome := 'undone';
exception
    when sqlstate 'LG001' then outcome := 'last_credential';
    when sqlstate 'LG011' then outcome := 'accounts_changed';
    when sqlstate 'LG012' then outcome := 'identity_in_use';
end $$;

create function undo_merge(p_change account_changes) returns void language plpgsql as $$
declare
    kept constant uuid := p_change.account_id;
    absorbed constant uuid := p_change.other_id;
    was constant jsonb := p_change.state->'kept';
    other accounts;
begin
    select * into other from accounts where id = absorbed;
    perform move_items(kept, absorbed, p_change.state->'items');
    perform part_proofs(kept, absorbed, p_change.state->'joined');
    update accounts
       set mfa = (was->>'mfa')::boolean, mfa_demanded = (was->>'mfa_demanded')::boolean, password_state = was->>'password_state',
           user_name = was->>'user_name', user_name_key = was->>'user_name_key', changed_at = now(),
           display_name = case when was->>'display_name' is null and display_name = other.display_name then null else display_name end,
           -- What an app has changed since stays; what only came along goes.
           attributes = attributes - array(select key from jsonb_each(other.attributes)
                                            where not (was->'attributes' ? key) and attributes->key = value)
     where id = kept;
    update accounts
       set status = 'active', merged_into = null, changed_at = now(), password_state = p_change.state->'absorbed'->>'password_state',
           user_name = p_change.state->'absorbed'->>'user_name', user_name_key = p_change.state->'absorbed'->>'user_name_key'
     where id = absorbed;
    perform set_mains(kept, p_change.state->'kept_mains');
    perform set_mains(absorbed, p_change.state->'absorbed_mains');
    -- Who came in by what goes back is not to stay in what remains.
    perform end_account_sessions(kept, 'merge_undone', null);
    perform notify_account(kept, 'accounts_separated', '{}');
    perform notify_account(absorbed, 'accounts_separated', '{}');
end $$;

create function undo_split(p_change account_changes) returns void language plpgsql as $$
begin
    perform move_items(p_change.other_id, p_change.account_id, p_change.state->'items');
    perform set_mains(p_change.account_id, p_change.state->'mains');
    update accounts set mfa = (p_change.state->>'mfa')::boolean, password_state = p_change.state->>'password_state', changed_at = now()
     where id = p_change.account_id;
    update accounts set status = 'closed', merged_into = p_change.account_id, changed_at = now() where id = p_change.other_id;
    perform end_account_sessions(p_change.other_id, 'split_undone', null);
    perform pg_notify('gateway_sessions', 'account:' || p_change.account_id);
    perform notify_account(p_change.account_id, 'accounts_merged', '{}');
end $$;

create function undo_move(p_change account_changes, p_providers text[]) returns void language plpgsql as $$
declare
    identity constant uuid := (ids_of(p_change.state->'items', 'identities'))[1];
begin
    perform move_items(p_change.account_id, p_change.other_id, p_change.state->'items');
    perform end_identity_sessions(p_change.account_id, identity, 'identity_moved');
    if not has_way_in(p_change.account_id, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    perform notify_account(p_change.account_id, 'identity_unlinked', jsonb_build_object('provider', (select provider from identities where id = identity)));
    perform notify_account(p_change.other_id, 'identity_linked', jsonb_build_object('provider', (select provider from identities where id = identity)));
end $$;

create function undo_link(p_change account_changes, p_providers text[]) returns void language plpgsql as $$
declare
    gone record;
begin
    perform end_identity_sessions(p_change.account_id, (p_change.state->>'identity')::uuid, 'identity_unlinked');
    delete from identities where id = (p_change.state->>'identity')::uuid and account_id = p_change.account_id returning provider into gone;
    if not found then
        raise exception 'accounts changed' using errcode = 'LG011';
    end if;
    if not has_way_in(p_change.account_id, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    perform notify_account(p_change.account_id, 'identity_unlinked', jsonb_build_object('provider', gone.provider));
end $$;

create function undo_unlink(p_change account_changes) returns void language plpgsql as $$
declare
    gone constant identities := jsonb_populate_record(null::identities, p_change.state);
begin
    perform lock_identity(gone.provider, gone.realm, gone.subject);
    insert into identities select (gone).* on conflict do nothing;
    if not found then
        raise exception 'in use' using errcode = 'LG012';
    end if;
    perform notify_account(p_change.account_id, 'identity_linked', jsonb_build_object('provider', gone.provider));
end $$;

-- Forgets what can't be undone any more.
create function sweep_changes(p_limit integer) returns integer language plpgsql as $$
declare
    gone integer;
begin
    delete from account_changes where ctid = any (array(
        select ctid from account_changes where undo_until < now() - interval '30 days' limit p_limit for update skip locked));
    get diagnostics gone = row_count;
    return gone;
end $$;

-- Ends one session of an account, or all. Null, or why not.
create function operator_end_sessions(p_account uuid, p_session uuid, p_address text, p_request text) returns text language plpgsql as $$
declare
    ended integer;
begin
    if p_session is not null then
        return case when end_session(p_account, p_session, 'ended_by_operator', null, p_address, p_request) then null else 'not_found' end;
    end if;
    perform from accounts where id = p_account for update;
    if not found then
        return 'not_found';
    end if;
    ended := end_account_sessions(p_account, 'ended_by_operator', null);
    delete from remembered_devices where account_id = p_account;
    insert into audit_events (action, outcome, reason, account_id, address, request_id, detail)
    values ('sessions_ended', 'done', 'ended_by_operator', p_account, p_address, p_request, jsonb_build_object('count', ended));
    return null;
end $$;

-- Wants an address or number proved again; till then it opens nothing. The account keeps a way in. Null, or why not.
create function require_proof(p_account uuid, p_key text, p_providers text[], p_address text, p_request text) returns text language plpgsql as $$
declare
    changed integer;
    total integer;
begin
    perform from accounts where id = p_account and status = 'active' for update;
    if not found then
        return 'not_found';
    end if;
    -- Told while it still counts as the account's.
    perform notify_account(p_account, 'proof_required', '{}');
    update account_emails set proved_at = null where account_id = p_account and address_key = p_key and proved_at is not null;
    get diagnostics total = row_count;
    update account_phones set proved_at = null where account_id = p_account and phone_key = p_key and proved_at is not null;
    get diagnostics changed = row_count;
    if total + changed = 0 then
        raise exception 'nothing to change' using errcode = 'LG013';
    end if;
    if not has_way_in(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where account_id = p_account or address_key = p_key;
    perform end_account_sessions(p_account, 'proof_required', null);
    insert into audit_events (action, outcome, account_id, address, request_id, detail)
    values ('proof_required', 'done', p_account, p_address, p_request,
            jsonb_build_object('key', left(encode(sha256(convert_to(p_key, 'UTF8')), 'hex'), 16)));
    return null;
exception
    when sqlstate 'LG001' then return 'last_credential';
    when sqlstate 'LG013' then return 'nothing_to_change';
end $$;
