-- Whether an answer comes from the network that began the flow, or from a known place of its account. Its tries are
-- counted apart from those of others, who may answer where a protocol names the user instead of the flow: wrong codes
-- from elsewhere leave the owner's tries. A flow that did not begin with a name has no others.
-- Locks: none
create or replace function is_own_answer(p_flow flows, p_mark bytea, p_address text) returns boolean language plpgsql stable as $$
begin
    return p_flow.state->>'from' is null or coalesce(network_of(p_flow.state->>'from') = network_of(p_address), false)
        or known_place(p_flow.account_id, p_mark, p_address) is not null;
end $$;
