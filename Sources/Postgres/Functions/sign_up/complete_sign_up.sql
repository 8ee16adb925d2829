-- Adds data that a sign-up with a proved address lacked (`p_added`), and creates its account. `p_asks`: data is still
-- missing, so no account is made yet.
-- Locks: *lock_claimants, flows (for update), *make_signed_up_account.
-- Outcomes: flow_expired, address_in_use, proved, *make_signed_up_account
-- Invariant: a single-use value is used once.
create or replace function complete_sign_up(
    p_flow uuid, p_added jsonb, p_asks boolean, p session_request, p_gate jsonb,
    out outcome text, out display_name text, out email text, out account_created timestamptz)
language plpgsql as $$
declare
    flow record;
begin
    perform lock_claimants(array[f.address_key]) from flows f where f.id = p_flow and f.kind = 'sign_up';
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'sign_up' and f.client_id = (p).client_id and f.expires_at > now()
       and f.proved for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    if account_by_name('email', flow.address_key) is not null or account_by_name('phone', flow.address_key) is not null then
        outcome := 'address_in_use';
        return;
    end if;
    if p_asks then
        update flows f set state = f.state || p_added where f.id = p_flow;
        outcome := 'proved';
        return;
    end if;
    select m.outcome, m.display_name, m.email, m.account_created into outcome, display_name, email, account_created
      from make_signed_up_account(p_flow, flow.state || p_added, flow.address_key, p, p_gate) m;
    if outcome <> 'user_name_taken' then
        delete from flows f where f.id = p_flow;
    end if;
end $$;
