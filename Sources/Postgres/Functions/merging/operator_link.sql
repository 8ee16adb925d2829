-- Links an identity for an operator or a back end (`p_by`).
-- Locks: *lock_identity, accounts (for update), *add_identity, account_changes (new).
-- Outcomes: not_found, identity_in_use, linked
-- Invariant: one identity has one account.
create or replace function operator_link(
    p_change uuid, p_account uuid, p_identity uuid, p_provider text, p_realm text, p_subject text, p_by text, p_actor uuid, p_address text, p_request text)
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
    if add_identity(p_identity, p_account, facts, p_by, null) is null then
        return 'identity_in_use';
    end if;
    insert into account_changes (id, kind, account_id, actor_id, state, after)
    values (p_change, 'link', p_account, p_actor, jsonb_build_object('identity', p_identity), jsonb_build_object('account', account_outline(p_account)));
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, address, request_id, detail)
    values ('identity_linked', 'done', 'operator', p_account, p_identity, p_provider, p_address, p_request,
            jsonb_build_object('change', p_change, 'before', before, 'after', account_outline(p_account)));
    perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', p_provider));
    return 'linked';
end $$;
