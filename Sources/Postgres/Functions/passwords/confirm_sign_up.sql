-- Confirms a sign-up. `p_asks`: data is missing, so no account is made yet. Wrong answers are counted for the caller's
-- network (`p_askers`). `p_by_name`: see confirm_sign_up_code.
-- Locks: *confirm_sign_up_code, *charge_wrong_answer.
-- Outcomes: wait, *confirm_sign_up_code
create or replace function confirm_sign_up(
    p_flow uuid, p_code_digest bytea, p_limits flow_limits, p_account uuid, p_asks boolean, p_by_name boolean, p session_request, p_gate jsonb,
    p_askers bytea[], p_asker_bursts bigint[], p_asker_periods bigint[],
    out outcome text, out tries_left integer, out wait double precision, out display_name text, out email text, out account_created timestamptz)
language plpgsql as $$
begin
    wait := wait_for_throttles(p_askers, p_asker_bursts, p_asker_periods);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    select c.outcome, c.tries_left, c.wait, c.display_name, c.email, c.account_created
      into outcome, tries_left, wait, display_name, email, account_created
      from confirm_sign_up_code(p_flow, p_code_digest, p_limits, p_account, p_asks, p_by_name, p, p_gate) c;
    perform charge_wrong_answer(outcome, tries_left, p_askers, p_asker_bursts, p_asker_periods);
end $$;
