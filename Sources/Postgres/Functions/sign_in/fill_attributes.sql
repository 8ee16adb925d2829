-- Stores facts that a provider sent as attributes of the identity's account, where the account has none of that name.
-- The caller has verified the identity. Claims that come from a new attribute are due at the next refresh.
-- Locks: accounts (for no key update), *make_claims_due.
create or replace function fill_attributes(
    p_provider text, p_realm text, p_subject text, p_attributes jsonb, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
declare
    account accounts;
    added text[];
begin
    select a.* into account
      from accounts a join identities i on i.account_id = a.id
     where i.provider = p_provider and i.realm = p_realm and i.subject = p_subject and a.status = 'active'
       for no key update of a;
    added := array(select name from jsonb_object_keys(p_attributes) name where not account.attributes ? name);
    if account.id is null or added = '{}' then
        return;
    end if;
    update accounts set attributes = p_attributes || attributes, changed_at = now() where id = account.id;
    perform make_claims_due(account.id, added);
    insert into audit_inbox (action, outcome, account_id, provider, client_id, address, request_id, detail)
    values ('profile_changed', 'done', account.id, p_provider, p_client, p_address, p_request, jsonb_build_object('changed', added));
    perform pg_notify('gateway_sessions', 'account:' || account.id);
end $$;
