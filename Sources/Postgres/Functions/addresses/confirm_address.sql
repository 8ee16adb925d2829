-- Confirms an address or number. Wrong answers are counted for the caller's network (`p_askers`).
-- Locks: *confirm_address_code, *charge_wrong_answer.
-- Outcomes: wait, *confirm_address_code
create or replace function confirm_address(
    p_flow uuid, p_revision integer, p_code_digest bytea, p_limits flow_limits, p_kind text, p_text text, p_key text,
    p_account uuid, p_session uuid, p_recent_seconds integer, p_client text, p_address text, p_request text,
    p_askers bytea[], p_asker_bursts bigint[], p_asker_periods bigint[], p session_request, p_gate jsonb,
    out outcome text, out tries_left integer, out wait double precision, out renewed boolean)
language plpgsql as $$
begin
    wait := wait_for_throttles(p_askers, p_asker_bursts, p_asker_periods);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    select c.outcome, c.tries_left, c.wait, c.renewed into outcome, tries_left, wait, renewed
      from confirm_address_code(p_flow, p_revision, p_code_digest, p_limits, p_kind, p_text, p_key, p_account, p_session, p_recent_seconds,
                           p_client, p_address, p_request, p, p_gate) c;
    perform charge_wrong_answer(outcome, tries_left, p_askers, p_asker_bursts, p_asker_periods);
end $$;
