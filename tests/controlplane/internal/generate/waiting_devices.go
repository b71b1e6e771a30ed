package generate

type deviceState struct{}

func (m *waitingMaker) addDeviceKinds()                    {}
func (m *waitingMaker) holdDevices(made draft, at *place)  {}
func (m *waitingMaker) claimDevices(made draft, at *place) {}
