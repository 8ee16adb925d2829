-- The buckets that one answer to a flow takes from: `buckets` refuse it with a wait. `hidden` is the account's bucket of
-- strangers, which all its names share; beyond it an answer counts as wrong, because a wait would tell that two names
-- belong to one account.
-- A password takes from the budget of passwords, as at a plain sign-in (`state.guess`), whatever proofs the flow has.
-- A code of a flow that began with a name: the bucket of the name and the network where the flow began; elsewhere that
-- of the known place, or for strangers the name's and the account's. Every code was paid as a message, so these buckets
-- together allow no more guesses than messages times tries.
-- Any other answer: see flow_guess_bucket.
-- Locks: none
create or replace function flow_guess(
    p_flow flows, p_limits flow_limits, p_mark bytea, p_address text,
    out hidden bytea, out buckets bytea[], out bursts bigint[], out periods bigint[])
language plpgsql stable as $$
declare
    guess jsonb := p_flow.state->'guess';
    kind text := case when guess is null then 'code' else 'password' end;
    is_named boolean := guess is null and p_flow.proofs = '[]' and p_flow.state->>'from' is not null;
    place text;
begin
    bursts := array[coalesce((guess->>'burst')::bigint, (p_limits).guess_burst)];
    periods := array[coalesce((guess->>'period')::bigint, (p_limits).guess_period)];
    if is_named and network_of(p_flow.state->>'from') = network_of(p_address) then
        buckets := array[set_byte(substr(sha256((p_flow.state->>'guess_bucket' || ' from ' || network_of(p_address))::bytea), 1, 16), 0, 0)];
    elsif guess is null and not is_named then
        buckets := array[flow_guess_bucket(p_flow)];
    else
        place := case when p_flow.session_id is not null then 'device' else known_place(p_flow.account_id, p_mark, p_address) end;
        if place is not null then
            buckets := array[guess_bucket(p_flow.account_id, kind, place)];
        else
            hidden := guess_bucket(p_flow.account_id, kind, null);
            buckets := array[flow_guess_bucket(p_flow)];
            if guess is not null then
                buckets := buckets || decode(guess->>'client', 'hex');
                bursts := bursts || (guess->>'client_burst')::bigint;
                periods := periods || (guess->>'client_period')::bigint;
            end if;
        end if;
    end if;
end $$;
