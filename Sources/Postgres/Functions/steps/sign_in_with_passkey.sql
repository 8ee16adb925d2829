-- Signs in with a passkey, which identifies its account, and spends its challenge.
-- Locks: accounts (for key share), *spend, *apply_flow_effect, *reach_session.
-- Outcomes: account_disabled, *apply_flow_effect, *reach_session
-- Invariant: an ended session stays ended; a single-use value is used once.
create or replace function sign_in_with_passkey(
    p_account uuid, p_effects jsonb, p_spent bytea[], p_spent_until bigint[], p session_request, p_gate jsonb,
    out outcome text, out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
declare
    effect jsonb;
begin
    select a.display_name, a.created_at, e.address, e.proved_at is not null into display_name, account_created, email, email_proved
      from accounts a left join account_emails e on e.account_id = a.id and e.is_main
     where a.id = p_account and a.status = 'active' for key share of a;
    if not found then
        outcome := 'account_disabled';
        return;
    end if;
    perform spend(p_spent, p_spent_until);
    for effect in select jsonb_array_elements(p_effects) loop
        outcome := apply_flow_effect(p_account, effect, null, p.id, p.client_id, p.address, p.request_id);
        if outcome is not null then
            return;
        end if;
    end loop;
    outcome := reach_session(p, p_account, null, 'signed_in', 'passkey', null, null, p_gate);
end $$;
