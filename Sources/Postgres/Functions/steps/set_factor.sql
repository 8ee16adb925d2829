-- Renames a factor or makes it the default; null keeps a value. The caller holds the account's lock.
-- Locks: factors, passkeys.
-- Outcomes: not_found, changed
create or replace function set_factor(p_account uuid, p_factor uuid, p_name text, p_preferred boolean, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    if not exists (select from factors where id = p_factor and account_id = p_account union all
                   select from passkeys where id = p_factor and account_id = p_account)
    then
        return 'not_found';
    end if;
    if p_preferred is not null then
        update factors set is_preferred = false where account_id = p_account and is_preferred;
        update passkeys set is_preferred = false where account_id = p_account and is_preferred;
    end if;
    update factors set name = coalesce(p_name, name), is_preferred = coalesce(p_preferred, is_preferred) where id = p_factor;
    update passkeys set name = coalesce(p_name, name), is_preferred = coalesce(p_preferred, is_preferred) where id = p_factor;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_changed', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('factor', p_factor));
    return 'changed';
end $$;
