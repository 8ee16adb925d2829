-- Charges an attempt at the present password in a session, which counts as a known device, and finds its hash.
-- Locks: *take_from_throttles.
create or replace function begin_password_change(
    p_account uuid, p_networks bytea[], p_network_bursts bigint[], p_network_periods bigint[], p_burst bigint, p_period bigint,
    out wait double precision, out hash text)
language plpgsql as $$
begin
    wait := take_from_throttles(guess_bucket(p_account, 'password', 'device') || p_networks,
                                p_burst || p_network_bursts, p_period || p_network_periods);
    select w.hash into hash from passwords w where w.account_id = p_account;
end $$;
