-- Creates the account of a pending sign-up for a back end, which vouches for the sign-up's address or number.
-- Locks: *lock_claimants, flows (for update), *create_account.
-- Outcomes: not_found, *create_account
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
    outcome := create_account(p_flow, flow.state, array[flow.address_key], 'usable', null, flow.client_id, p_request);
    if outcome = 'created' then
        delete from flows where id = p_flow;
    end if;
    return outcome;
end $$;
