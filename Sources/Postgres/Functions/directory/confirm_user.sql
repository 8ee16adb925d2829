-- Creates the account of a pending sign-up for a back end. Its address or number stays unproved, but signs in with the
-- password: see account_to_sign_in. One account at a time has that claim.
-- Locks: *lock_claimants, flows (for update), *create_account, account_emails, *forget_address_changes, account_phones.
-- Outcomes: not_found, email_in_use, *create_account
-- Invariant: a single-use value is used once.
create or replace function confirm_user(p_flow uuid, p_request text) returns text language plpgsql as $$
declare
    flow record;
    outcome text;
begin
    perform lock_claimants(array[f.address_key]) from flows f where f.id = p_flow and f.kind = 'sign_up';
    select * into flow from flows f where f.id = p_flow and f.kind = 'sign_up' and f.expires_at > now() for update;
    if not found then
        return 'not_found';
    end if;
    if account_to_sign_in('email', flow.address_key) is not null or account_to_sign_in('phone', flow.address_key) is not null then
        return 'email_in_use';
    end if;
    outcome := create_account(p_flow, flow.state, '{}', 'usable', null, 'back_end', flow.client_id, p_request);
    if outcome = 'created' then
        update account_emails set source = 'activated' where account_id = p_flow and address_key = flow.address_key;
        update account_phones set source = 'activated' where account_id = p_flow and phone_key = flow.address_key;
        delete from flows where id = p_flow;
    end if;
    return outcome;
end $$;
